package import Foundation

/// What the environment of a test run enables.
package enum TestEnvironment {
    /// The folder of public test data, from `ERRAND_VECTORS`.
    package static var vectors: URL? {
        ProcessInfo.processInfo.environment["ERRAND_VECTORS"].map { URL(filePath: $0) }
    }

    /// A server that executes GraphQL, `Tests/characters.py`, from `ERRAND_GRAPHQL`.
    package static var graphQL: URL? {
        ProcessInfo.processInfo.environment["ERRAND_GRAPHQL"].flatMap { URL(string: $0) }
    }

    /// Whether the long tests run too: `ERRAND_HEAVY=1`.
    package static var runsHeavyTests: Bool {
        ProcessInfo.processInfo.environment["ERRAND_HEAVY"] == "1"
    }

    /// Whether a test may hold the whole process to account, as no other runs beside it: `ERRAND_ALONE=1`.
    package static var isAlone: Bool {
        ProcessInfo.processInfo.environment["ERRAND_ALONE"] == "1"
    }

    /// What bounds on real time are multiplied with: `ERRAND_PATIENCE`, for builds that a sanitizer slows down.
    package static var patience: Int {
        ProcessInfo.processInfo.environment["ERRAND_PATIENCE"].flatMap { Int($0) } ?? 1
    }

    /// How often a loop over random inputs runs; `patient` is for builds that a sanitizer slows down, where a long loop
    /// would keep both cores from everybody else.
    package static func rounds(_ usual: Int, heavy: Int, patient: Int? = nil) -> Int {
        if runsHeavyTests { return heavy }
        return patience > 1 ? patient ?? usual : usual
    }
}
