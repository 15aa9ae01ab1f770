import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// The deadline and cancellation of a call while its response is parsed.
@Suite(.timeLimit(.minutes(1))) struct ParsingLimitTests {
    enum End: Sendable, CaseIterable {
        case deadline, cancellation

        var code: ServiceError.Code { self == .deadline ? .timeout : .cancelled }
    }

    /// Ends the call during parsing.
    final class Ending: Sendable {
        let end: End
        let clock = ManualClock()
        let decoded = Locked(0)

        init(end: End) {
            self.end = end
        }

        func happen() {
            switch end {
            case .deadline: clock.advance(by: .seconds(2))
            case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
            }
        }
    }

    /// Counts decoded elements and ends the call at a given count.
    struct Element: Decodable, Sendable {
        static let last = 100

        @TaskLocal static var ending: Ending?
        let number: Int

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            guard let ending = Self.ending else { return }
            let count = ending.decoded.withLock { decoded in
                decoded += 1
                return decoded
            }
            if count == Self.last { ending.happen() }
        }
    }

    /// Ends the call in a validator or in its own parser. For `element`, a decoded element ends the call.
    struct Call: APIHandler {
        enum Moment { case validator, ownParser, failingParser, element }

        let ending: Ending
        let moment: Moment

        func options(for data: Void) -> RequestOptions {
            var options = RequestOptions()
            options.totalTimeout = .seconds(1)
            return options
        }

        func makeRequest(from data: Void) throws -> URLRequest {
            URLRequest(url: try BaseURL(validating: "http://a.test").url(for: "list"))
        }

        var validators: [ResponseValidator] {
            [ResponseValidator { _, _, _ in if moment == .validator { ending.happen() } }]
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Element] {
            switch moment {
            case .ownParser:
                ending.happen()
                return []
            case .failingParser:
                ending.happen()
                throw CocoaError(.coderReadCorrupt)
            case .validator, .element:
                return try defaultParseResponse(data: data, response: response)
            }
        }
    }

    private static let long = "[" + (0..<200_000).map { "\($0)" }.joined(separator: ",") + "]"

    private func failure(_ ending: Ending, _ moment: Call.Moment, _ json: String) async throws -> ServiceError {
        let session = ScriptedSession([.json(json)])
        let loader = APILoader(Call(ending: ending, moment: moment), session: session, time: ending.clock)
        // A separate task, because some rows cancel it.
        let failure = await Task {
            await Element.$ending.withValue(moment == .element ? ending : nil) { () async -> ServiceError? in
                do throws(ServiceError) {
                    _ = try await loader.load()
                    return nil
                } catch {
                    return error
                }
            }
        }.value
        return try #require(failure)
    }

    @Test(arguments: End.allCases) func `the fast decoder stops soon after its call ends`(end: End) async throws {
        let ending = Ending(end: end)
        let error = try await failure(ending, .element, Self.long)
        #expect(error.code == end.code && error.status == 200, "\(error)")
        let decoded = ending.decoded.withLock { $0 }
        #expect((Element.last...Element.last + 2_048).contains(decoded), "\(decoded)")
    }

    @Test(arguments: End.allCases) func `a body is not decoded after its call ends`(end: End) async throws {
        let ending = Ending(end: end)
        // Foundation's decoder would report the missing bracket.
        let error = try await failure(ending, .validator, String(Self.long.dropLast()))
        #expect(error.code == end.code && error.status == 200, "\(error)")
    }

    @Test(arguments: End.allCases, ["[]", "[1,2,3]"])
    func `a value that a parser returns too late is discarded`(end: End, json: String) async throws {
        for moment in [Call.Moment.validator, .ownParser] {
            let error = try await failure(Ending(end: end), moment, json)
            #expect(error.code == end.code && error.status == 200, "\(error)")
        }
    }

    @Test func `a late parser error replaces a timeout but not a cancellation`() async throws {
        #expect(try await failure(Ending(end: .deadline), .failingParser, "[]").code == .decoding)
        #expect(try await failure(Ending(end: .cancellation), .failingParser, "[]").code == .cancelled)
    }

    @Test func `the Foundation decoder does not run after the deadline`() async throws {
        let ending = Ending(end: .deadline)
        let json = "[" + (0..<Element.last).map { "\($0)" }.joined(separator: ",") + #","x"]"#
        #expect(try await failure(ending, .element, json).code == .timeout)
        #expect(ending.decoded.withLock { $0 } == Element.last)
    }
}
