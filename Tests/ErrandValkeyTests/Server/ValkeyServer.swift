#if os(Linux)
    import Errand
    import ErrandLoopback
    import ErrandValkey
    import Foundation
    import TestSupport
    import Testing

    /// A real server on 127.0.0.1. It ends with this value, and with the process of the tests.
    final class ValkeyServer: Sendable {
        /// The paths of the server programs, from `ERRAND_VALKEY`, separated by colons. Without them, the tests are skipped.
        static let programs = (ProcessInfo.processInfo.environment["ERRAND_VALKEY"] ?? "").split(separator: ":").map {
            String($0)
        }
        static let password = "s3cret"

        private let folder: ScratchFolder
        let certificates: Certificates?
        private let configuration: ValkeyClient.Configuration
        private let process: Process
        private let lifeline: Pipe

        /// Starts a server, and waits until it accepts connections.
        /// - Parameters:
        ///   - program: The path of the server's program.
        ///   - isSecured: Whether it requires TLS with a client certificate, and a user with a password and the permissions
        ///     that the guide advises.
        /// - Returns: The server. It ends with the last reference.
        /// - Throws: `POSIXError` if it does not start.
        static func start(_ program: String, isSecured: Bool = false) async throws -> ValkeyServer {
            let certificates = isSecured ? try await Certificates() : nil
            // Another program may take the port between its selection and its use.
            for _ in 0..<4 {
                let free = try LoopbackServer(handler: { _ in .status(404) })
                await free.stop()
                let server = try ValkeyServer(program, certificates, port: free.port)
                let client = server.client()
                for _ in 0..<100 {
                    if (try? await client.send(RESPCommand("PING")))?.string == "PONG" { return server }
                    await Soak.wait(.milliseconds(50))
                }
            }
            throw POSIXError(.ECONNREFUSED)
        }

        private init(_ program: String, _ certificates: Certificates?, port: Int) throws {
            folder = try ScratchFolder()
            self.certificates = certificates
            var configuration = ValkeyClient.Configuration(host: "127.0.0.1", port: port)
            var lines = ["bind 127.0.0.1", "save \"\"", "dir \"\(folder.url.path)\""]
            if let certificates {
                let path = certificates.url.path
                lines += [
                    "port 0", "tls-port \(port)", "tls-cert-file \(path)/good.pem", "tls-key-file \(path)/good.key",
                    "tls-ca-cert-file \(path)/authority.pem", "user default off",
                    "user worker on >\(Self.password) ~errand:* resetchannels -@all +@connection +evalsha +eval +time +get +set +hmget"
                        + " +hget +hset +hdel +hincrby +hgetall +hkeys +hlen +zadd +zrem +zrange +zscan +zscore +zcard +del +pexpire",
                ]
                (configuration.user, configuration.password) = ("worker", Secret(Self.password))
                var tls = ValkeyClient.TLS()
                (tls.authorities, tls.certificate) = (certificates.authority, certificates.client)
                configuration.tls = tls
            } else {
                lines.append("port \(port)")
            }
            self.configuration = configuration
            let file = try folder.file(Data(lines.joined(separator: "\n").utf8), name: "server.conf")
            process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            // As for nginx: the server ends with this process in every case.
            process.arguments = ["-c", #""$0" "$1" & read -r line; kill -9 $!"#, program, file.path]
            lifeline = Pipe()
            process.standardInput = lifeline
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        deinit { try? lifeline.fileHandleForWriting.close() }

        func client(_ configure: (inout ValkeyClient.Configuration) -> Void = { _ in }) -> ValkeyClient {
            var configuration = configuration
            configure(&configuration)
            return ValkeyClient(configuration)
        }
    }

    extension Trait where Self == ConditionTrait {
        static var needsValkey: Self { .enabled(if: !ValkeyServer.programs.isEmpty, "ERRAND_VALKEY is not set") }
    }
#endif
