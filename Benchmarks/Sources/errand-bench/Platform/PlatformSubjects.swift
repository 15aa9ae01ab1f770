import Errand

/// The subjects that only one platform has: the one place of this package that asks which it is.
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
