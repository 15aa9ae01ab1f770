#if os(Linux)
    import Errand
    import ErrandLoopback
    import Foundation
    import TestSupport
    import Testing

    /// A real server with TLS and HTTP/2 on 127.0.0.1 and a Unix domain socket. Each port has a different
    /// configuration.
    final class Nginx: Sendable {
        /// The path of the server program, from `ERRAND_NGINX`. If it is not set, the tests that need it are skipped.
        static let program = ProcessInfo.processInfo.environment["ERRAND_NGINX"]

        /// The server of the running suite.
        @TaskLocal static var current: Nginx?

        /// The configuration of a port. The raw value is the name of the certificate if that certificate is invalid.
        enum Port: String, CaseIterable, Sendable {
            case good, elsewhere, expired, future, unknown
            /// Supports TLS 1.2 only.
            case old
            /// Requires a client certificate.
            case asking
            /// Closes each connection after 30 requests.
            case brief
            /// Allows eight simultaneous requests on a connection.
            case narrow
            /// Without TLS.
            case plain
        }

        let certificates: Certificates
        private let ports: [Port: Int]
        private let process: Process
        private let lifeline: Pipe

        /// Starts a server and waits until it accepts connections.
        static func start() async throws -> Nginx {
            let certificates = try await Certificates()
            // Another program may take a port between its selection and its use.
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
            // The server ends with this process in every case, because the shell then reads the end of its input.
            // Threads of a pool block signals, and the processes that they start inherit this, so only SIGKILL ends the
            // server.
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

        /// Waits until the server has opened its ports. If it does not in time, stops it and returns `false`.
        private func isUp() async throws -> Bool {
            let path = certificates.url.appending(path: "nginx.pid").path
            let clock = ContinuousClock()
            let end = clock.now + .seconds(5) * TestEnvironment.patience
            try await Soak.wait { clock.now >= end || (FileManager.default.contents(atPath: path)?.count ?? 0) > 1 }
            if clock.now < end { return true }
            stop()
            return false
        }

        /// The requests so far. Each has the connection's number, the protocol and the target.
        var requests: [[Substring]] {
            let log = try? String(contentsOf: certificates.url.appending(path: "access.log"), encoding: .utf8)
            return (log ?? "").split(separator: "\n").map { $0.split(separator: " ") }
        }

        /// The path of the Unix domain socket.
        var socket: String { certificates.url.appending(path: "socket").path }

        /// Returns a URL of the server.
        func url(_ port: Port, _ path: String = "/", host: String = "localhost") throws -> URL {
            let scheme = port == .plain ? "http" : "https"
            return try #require(URL(string: "\(scheme)://\(host):\(ports[port] ?? 0)\(path)"))
        }
    }

    /// Returns ports without a listener. They are outside the range that the system assigns to clients, because other
    /// tests open connections at the same time.
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

    /// Runs a suite with its own server, ``Nginx/current``.
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
            .enabled(if: Nginx.program != nil, "ERRAND_NGINX is not set")
        }
    }

    /// The fixture of the tests that use the server.
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
            // Much longer than any of these requests takes. A request that reaches the deadline has failed.
            request.options.deadline = Deadline.after(.seconds(10) * TestEnvironment.patience)
            configure(&request)
            return request
        }
    }
#endif
