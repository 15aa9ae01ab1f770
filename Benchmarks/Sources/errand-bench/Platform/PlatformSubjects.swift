import Errand
import Foundation

/// The subjects that exist on one platform only.
enum PlatformSubjects {
    #if os(Linux)
        static func sessions(authorities: URL?) -> [SessionSubject] {
            var configuration = CurlSession.Configuration()
            if let authorities { configuration.tls.authorities = .file(authorities) }
            return [
                .session("CurlSession", CurlSession(configuration)),
                .loader("CurlSession", CurlSession(configuration)),
                .platformLoader("CurlSession", CurlSession(configuration)),
                // All concurrent requests have the same URL. Coalescing would combine them.
                .loader("StandardSession", StandardSession.standard(coalescing: nil, over: CurlSession(configuration))),
            ]
        }

        static let memory = [MemorySubject(name: "CurlSession", session: CurlSession(), allowed: 16)]

        static let soak: [SoakBenchmark.Subject] = [(.loader("CurlSession", CurlSession()), share: 1)]

        /// Returns a session with a number of connections to one origin.
        static func session(connections: Int) throws -> any APISession {
            var configuration = CurlSession.Configuration()
            (configuration.connections, configuration.connectionsPerOrigin) = (connections, connections)
            return CurlSession(configuration)
        }

        /// Returns a session that offers HTTP/2, and trusts the authorities of a PEM file.
        static func multiplexing(authorities: URL) throws -> any APISession {
            var configuration = CurlSession.Configuration()
            configuration.offersHTTP2 = true
            configuration.tls.authorities = .file(authorities)
            return CurlSession(configuration)
        }
    #else
        static func sessions(authorities: URL?) -> [SessionSubject] { [] }
        static let memory: [MemorySubject] = []
        static let soak: [SoakBenchmark.Subject] = []

        static func session(connections: Int) throws -> any APISession { throw requiresLinux }

        static func multiplexing(authorities: URL) throws -> any APISession { throw requiresLinux }

        private static let requiresLinux = Failure("this benchmark requires Linux")
    #endif
}
