import Errand
import Foundation

/// The subjects that exist on one platform only.
enum PlatformSubjects {
    #if os(Linux)
        static let sessions: [SessionSubject] = [
            .session("CurlSession", CurlSession()),
            .loader("CurlSession", CurlSession()),
            .platformLoader("CurlSession", CurlSession()),
        ]

        static let memory = [MemorySubject(name: "CurlSession", session: CurlSession(), allowed: 16)]

        static let soak: [SoakBenchmark.Subject] = [(.loader("CurlSession", CurlSession()), share: 1)]

        /// Returns a session that offers HTTP/2, and trusts the authorities of a PEM file.
        static func multiplexing(authorities: URL) throws -> any APISession {
            var configuration = CurlSession.Configuration()
            configuration.offersHTTP2 = true
            configuration.tls.authorities = .file(authorities)
            return CurlSession(configuration)
        }
    #else
        static let sessions: [SessionSubject] = []
        static let memory: [MemorySubject] = []
        static let soak: [SoakBenchmark.Subject] = []

        static func multiplexing(authorities: URL) throws -> any APISession {
            throw Failure("this benchmark requires Linux")
        }
    #endif
}
