package import Foundation

/// The settings of a test run, from environment variables.
package enum TestEnvironment {
    /// The folder of public test data, from `ERRAND_VECTORS`.
    package static var vectors: URL? {
        ProcessInfo.processInfo.environment["ERRAND_VECTORS"].map { URL(filePath: $0) }
    }

    /// The URL of the GraphQL server `Tests/characters.py`, from `ERRAND_GRAPHQL`.
    package static var graphQL: URL? {
        ProcessInfo.processInfo.environment["ERRAND_GRAPHQL"].flatMap { URL(string: $0) }
    }

    /// The URL of the GraphQL servers `Tests/graphql-events.py`, from `ERRAND_GRAPHQL_EVENTS`.
    package static var graphQLEvents: URL? {
        ProcessInfo.processInfo.environment["ERRAND_GRAPHQL_EVENTS"].flatMap { URL(string: $0) }
    }

    /// Whether the long tests run, too: `ERRAND_HEAVY=1`.
    package static var runsHeavyTests: Bool { heaviness > 0 }

    /// The factor for the long loops over random inputs: `ERRAND_HEAVY=10` for ten times the usual number. 0 if the long tests do not
    /// run.
    private static var heaviness: Int {
        ProcessInfo.processInfo.environment["ERRAND_HEAVY"].flatMap { Int($0) } ?? 0
    }

    /// Whether each test runs alone and can measure the whole process: `ERRAND_ALONE=1`.
    package static var isAlone: Bool {
        ProcessInfo.processInfo.environment["ERRAND_ALONE"] == "1"
    }

    /// The factor for limits of real time, from `ERRAND_PATIENCE`, for builds that a sanitizer slows down. The default
    /// is 1.
    package static var patience: Int {
        ProcessInfo.processInfo.environment["ERRAND_PATIENCE"].flatMap { Int($0) } ?? 1
    }

    /// Returns the inputs of a test that only calculates: all of them for the long tests, otherwise the first two. Such a test
    /// occupies one of the two threads on which all other tests continue.
    package static func sample<Case>(_ cases: [Case]) -> [Case] {
        runsHeavyTests ? cases : Array(cases.prefix(2))
    }

    /// Returns the number of iterations of a loop over random inputs. `patient` applies to builds that a sanitizer
    /// slows down, because a long loop would occupy both cores.
    package static func rounds(_ usual: Int, heavy: Int, patient: Int? = nil) -> Int {
        if runsHeavyTests { return heavy * heaviness }
        return patience > 1 ? patient ?? usual : usual
    }
}
