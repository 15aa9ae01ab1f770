import Errand
import TestSupport
import Testing

/// Compiler diagnostics for endpoints with a response type that cannot be decoded.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestEnvironment.runsHeavyTests || SwiftCompiler() != nil, "swiftc not found"))
struct EndpointTypingTests {
    private static let types = """
        import Errand

        nonisolated struct Plain: Sendable {}
        nonisolated struct Offer: Decodable, Sendable {}

        """

    private static let good = """
        func use() {
            _ = Endpoint<[Offer]>(path: "offers")
            _ = Endpoint<Offer?>(path: "offer", decoder: .errand)
            _ = Endpoint<Void>(method: .delete, path: "offers")
            _ = Endpoint<Void>(path: "offers")
            _ = Endpoint<[Plain]>(path: "plain") { data in [Plain()] }
            let endpoint: Endpoint<[String: Offer]> = .init(method: .post, path: "offers", parameters: ["a": 1])
            _ = endpoint
        }
        extension Endpoint where Response == [Offer] { static var offers: Self { Endpoint(path: "offers") } }
        """

    /// Invalid statements, one on each line of a function.
    static let bad = [
        #"_ = Endpoint<Plain>(path: "plain")"#,
        #"_ = Endpoint<[Plain]>(path: "plain")"#,
        #"_ = Endpoint<Plain?>(path: "plain", decoder: .errand)"#,
        #"_ = Endpoint<[String: [Plain]]>(method: .post, path: "plain", parameters: ["a": 1])"#,
        #"do { let endpoint: Endpoint<[Plain]> = .init(path: "plain"); _ = endpoint }"#,
        #"plain = Endpoint(path: "plain")"#,
    ]

    private let folder: ScratchFolder
    private let compiler: SwiftCompiler

    init() throws {
        folder = try ScratchFolder()
        compiler = try #require(SwiftCompiler(), "the heavy tests require swiftc in PATH")
    }

    @Test func `an endpoint with a Decodable response compiles without a warning`() async throws {
        let file = try folder.file(Data((Self.types + Self.good).utf8), name: "good.swift")
        #expect(try await compiler.complaints(about: file) == "")
    }

    @Test func `an endpoint with a response that is not Decodable does not compile`() async throws {
        let start = Self.types + "func use(_ plain: inout Endpoint<[Plain]>) {\n"
        let text = start + Self.bad.joined(separator: "\n") + "\n}\n"
        let file = try folder.file(Data(text.utf8), name: "bad.swift")
        let lines = try await compiler.complaints(about: file).components(separatedBy: "\n")
        let first = start.components(separatedBy: "\n").count
        for (index, line) in Self.bad.enumerated() {
            let error = lines.first { $0.contains("bad.swift:\(first + index):") && $0.contains("error:") }
            #expect(
                error?.contains("is not Decodable: make it Decodable or pass 'decode'") == true,
                "\(line): \(error ?? "")")
        }
    }
}
