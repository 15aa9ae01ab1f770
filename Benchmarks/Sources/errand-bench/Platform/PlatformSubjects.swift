import Errand

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
    #else
        static let sessions: [SessionSubject] = []
        static let memory: [MemorySubject] = []
        static let soak: [SoakBenchmark.Subject] = []
    #endif
}
