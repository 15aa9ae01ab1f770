#if os(Linux)
    import Errand
    import ErrandLoopback
    import Foundation
    import TestSupport
    import Testing

    /// A real server with TLS and HTTP/2, one port for each way to set it up, on 127.0.0.1 and a Unix-domain socket.
    final class Nginx: Sendable {
        /// The server's program, from `ERRAND_NGINX`; where that is not set, its tests are skipped.
        static let program = ProcessInfo.processInfo.environment["ERRAND_NGINX"]

        /// The server of the suite that runs.
        @TaskLocal static var current: Nginx?

        /// How a port is set up; the raw value is its server's name in the configuration.
        enum Port: String, CaseIterable, Sendable {
            case good, elsewhere, expired, future, unknown
            /// TLS 1.2 and no later one.
            case old
            /// Asks the client for a certificate.
            case asking
            /// Ends each connection after 30 requests.
            case brief
            /// Allows eight requests at once on a connection.
            case narrow
            /// Without TLS.
            case plain
        }

        let certificates: Certificates
        private let ports: [Port: Int]
        private let process: Process
        private let lifeline: Pipe

        /// Starts a server that answers.
        static func start() async throws -> Nginx {
            let certificates = try await Certificates()
            // Between choosing the ports and opening them another program may take one.
            for _ in 0..<4 {
                let nginx = try Nginx(certificates)
                if try await nginx.isUp() { return nginx }
            }
            throw Failed(
                log: (try? String(contentsOf: certificates.url.appending(path: "nginx.log"), encoding: .utf8)) ?? "")
        }

        struct Failed: Error {
            let log: String
        }

        private init(_ certificates: Certificates) throws {
            self.certificates = certificates
            ports = Dictionary(uniqueKeysWithValues: zip(Port.allCases, try freePorts(Port.allCases.count)))
            let folder = certificates.url
            let configuration = Self.configuration(ports, root: folder.path)
            try? FileManager.default.removeItem(at: folder.appending(path: "socket"))
            try configuration.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            // It ends with this process, however that ends: then the shell reads the end of its input. Threads of a pool
            // block signals, and so do the processes that they start: all but this one, and nobody can wait for another.
            process.arguments = [
                "-c", #""$0" -p "$1" -c nginx.conf -e nginx.log & read -r line; kill -9 $!"#, Self.program ?? "",
                folder.path,
            ]
            lifeline = Pipe()
            process.standardInput = lifeline
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        /// Ends the server.
        func stop() { try? lifeline.fileHandleForWriting.close() }

        deinit { stop() }

        /// Waits until it has opened its ports; false, and it has ended, where it can't.
        private func isUp() async throws -> Bool {
            let place = certificates.url.appending(path: "nginx.pid").path
            let clock = ContinuousClock()
            let end = clock.now + .seconds(5) * TestEnvironment.patience
            try await Soak.wait { clock.now >= end || (FileManager.default.contents(atPath: place)?.count ?? 0) > 1 }
            if clock.now < end { return true }
            stop()
            return false
        }

        /// The requests so far, a line each: the connection's number, the protocol, the target.
        var requests: [[Substring]] {
            let log = try? String(contentsOf: certificates.url.appending(path: "access.log"), encoding: .utf8)
            return (log ?? "").split(separator: "\n").map { $0.split(separator: " ") }
        }

        /// The path of the socket.
        var socket: String { certificates.url.appending(path: "socket").path }

        /// An address of the server.
        func url(_ port: Port, _ path: String = "/", host: String = "localhost") throws -> URL {
            let scheme = port == .plain ? "http" : "https"
            return try #require(URL(string: "\(scheme)://\(host):\(ports[port] ?? 0)\(path)"))
        }
    }

    /// Numbers that nobody listens on at this moment, none of those that the system gives to clients: other tests run.
    private func freePorts(_ count: Int) throws -> [Int] {
        var ports: Set<Int> = []
        var tries = 0
        while ports.count < count, tries < 1_000 {
            tries += 1
            if let server = try? LoopbackServer(port: .random(in: 15_000..<32_000), handler: { _ in .status(404) }) {
                ports.insert(server.port)
            }
        }
        try #require(ports.count == count)
        return Array(ports)
    }

    /// Runs a suite beside a server of its own, ``Nginx/current``.
    struct NginxTrait: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let nginx = try await Nginx.start()
            defer { nginx.stop() }
            try await Nginx.$current.withValue(nginx) { try await function() }
        }
    }

    extension Trait where Self == NginxTrait {
        static var besideNginx: Self { NginxTrait() }
    }

    extension Trait where Self == ConditionTrait {
        static var needsNginx: Self {
            .enabled(if: Nginx.program != nil, "ERRAND_NGINX names the server's program")
        }
    }

    /// What the tests beside a server share.
    struct NginxScene {
        let nginx: Nginx

        init() throws { nginx = try #require(Nginx.current) }

        /// A session that offers HTTP/2 and trusts the authority of the certificates.
        func session(_ configure: (inout CurlSession.Configuration) -> Void = { _ in }) -> CurlSession {
            var configuration = CurlSession.Configuration()
            configuration.offersHTTP2 = true
            configuration.tls.authorities = .file(nginx.certificates.authority)
            configuration.proxy = .none
            configure(&configuration)
            return CurlSession(configuration)
        }

        func request(
            _ port: Nginx.Port, _ path: String = "/", host: String = "localhost",
            _ configure: (inout APIRequest) -> Void = { _ in }
        ) throws -> APIRequest {
            var request = APIRequest(head: URLRequest(url: try nginx.url(port, path, host: host)), body: .none)
            // Far more than any of them takes: an error that is a time-out shows.
            request.options.deadline = Deadline.after(.seconds(10) * TestEnvironment.patience)
            configure(&request)
            return request
        }
    }
#endif
