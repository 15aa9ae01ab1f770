#if os(Linux)
    package import Foundation

    /// Certificates and keys for one test run. The `openssl` command creates them in a folder that is removed with this
    /// value.
    package struct Certificates: Sendable {
        private let folder: ScratchFolder

        package var url: URL { folder.url }
        /// The certificate of the authority that signs the server's valid certificates.
        package var authority: URL { url.appending(path: "authority.pem") }
        /// A client certificate and its private key, in one file.
        package var client: URL { url.appending(path: "client.both") }

        /// - Throws: ``Failed`` with the output of the command.
        package init() async throws {
            folder = try ScratchFolder()
            let shell = Executable(file: URL(filePath: "/bin/sh"))
            let ending = try await shell.run(["-c", Self.script, "sh", folder.url.path])
            guard ending.status == 0 else { throw Failed(output: ending.output) }
        }

        package struct Failed: Error {
            package let output: String
        }

        /// The SHA-256 digest of a certificate's public key, in base64.
        package func pin(of name: String) throws -> String {
            try String(contentsOf: url.appending(path: "\(name).pin"), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// The script uses `openssl ca`, because every version accepts validity dates. `openssl x509` accepts them in
        /// new versions only.
        private static let script = #"""
            set -eu
            exec 2>&1
            cd "$1"
            : >index
            cat >authority.conf <<'END'
            [ca]
            default_ca = here
            [here]
            database = index
            new_certs_dir = .
            rand_serial = yes
            default_md = sha256
            default_days = 2
            policy = policy
            copy_extensions = copy
            unique_subject = no
            [policy]
            commonName = supplied
            END
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            authority() { openssl req -x509 $key -keyout $1.key -out $1.pem -days 2 -subj "/CN=$1"; }
            certificate() { # NAME AUTHORITY ALTERNATIVE-NAMES OPTIONS
                name=$1 by=$2 names=$3
                shift 3
                openssl req -new $key -keyout $name.key -out $name.csr -subj /CN=$name -addext subjectAltName=$names
                openssl ca -batch -notext -config authority.conf -cert $by.pem -keyfile $by.key \
                    -in $name.csr -out $name.pem "$@"
                openssl x509 -in $name.pem -pubkey -noout | openssl pkey -pubin -outform der |
                    openssl dgst -sha256 -binary | base64 >$name.pin
            }
            here=DNS:localhost,IP:127.0.0.1
            authority authority
            authority stranger
            certificate good authority $here
            certificate elsewhere authority DNS:elsewhere.example
            certificate expired authority $here -startdate 20200101000000Z -enddate 20200102000000Z
            certificate future authority $here -startdate 20900101000000Z -enddate 20900102000000Z
            certificate unknown stranger $here
            certificate client authority DNS:client.example
            cat client.pem client.key >client.both
            openssl pkey -in client.key -aes128 -passout pass:letmein -out client.locked
            """#
    }
#endif
