import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

/// The outcome that GraphQL over HTTP requires for each status, media type and kind of body. Section names are those of
/// the draft in `vectors/graphql-over-http/GraphQLOverHTTP.md`.
@Suite struct StatusTableTests {
    static let statuses = [200, 294, 400, 401, 405, 422, 500]

    enum Media: String, CaseIterable {
        case graphQL = "application/graphql-response+json; charset=utf-8"
        case json = "application/json"
        case html = "text/html"
        case none = ""
    }

    enum Body: String, CaseIterable {
        case data = #"{"data":{"name":"Rick"}}"#
        case partial = #"{"data":{"name":null},"errors":[{"message":"m","path":["name"]}]}"#
        case errorsOnly = #"{"errors":[{"message":"m"}]}"#
        case nullData = #"{"data":null,"errors":[{"message":"m","path":["name"]}]}"#
        case nullDataAlone = #"{"data":null}"#
        case foreignErrors = #"{"errors":["not yours"]}"#
        case malformed = #"{"data":{"name":"Ri"#
        case empty = ""
        case html = "<html><body>Sign in</body></html>"

        /// The outcome of the body if it is a well-formed GraphQL response (GraphQL, section 7.1). Otherwise, `nil`.
        var meaning: Outcome? {
            switch self {
            case .data: .data
            case .partial: .partial
            case .nullData: .noData
            case .errorsOnly: .requestError
            case .nullDataAlone, .foreignErrors, .malformed, .empty, .html: nil
            }
        }
    }

    enum Outcome: String { case data, partial, noData, requestError, status, validation, decoding }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let media: Media
        let body: Body

        var testDescription: String { "\(status) \(media) \(body)" }

        var expected: (Outcome, String) {
            let isSuccess = (200..<300).contains(status)
            switch media {
            case .graphQL:
                let rule = "Status Codes: a well-formed response independent of the HTTP status code"
                return (body.meaning ?? (isSuccess ? .decoding : .status), rule)
            case .json where isSuccess, .none where isSuccess:
                return (body.meaning ?? .decoding, "Body: clients can rely on a response when it is successful")
            case .json, .none:
                // Status Codes: a service sends data that is not null with 2xx, so this body may be from an
                // intermediary.
                let isData = [.data, .partial].contains(body)
                return (isData ? .status : body.meaning ?? .status, "Body: or it could originate from intermediaries")
            case .html:
                return (isSuccess ? .validation : .status, "Media Types: this is not a GraphQL response")
            }
        }
    }

    static let rows = statuses.flatMap { status in
        Media.allCases.flatMap { media in Body.allCases.map { Row(status: status, media: media, body: $0) } }
    }

    struct Model: Decodable, Sendable, Equatable { let name: String? }

    @Test(arguments: rows)
    func `status, media type and body determine the outcome`(row: Row) async throws {
        let (expected, rule) = row.expected
        let (outcome, error) = try await outcome(of: row)
        #expect(outcome == expected, "\(rule)")
        guard let error else { return }
        #expect(error.status == row.status)
        #expect(error.body == Data(row.body.rawValue.utf8))
    }

    /// Selected rows of the table with explicit outcomes, because the table itself would not reveal a mistake in the
    /// rules above.
    @Test(arguments: [
        (200, Media.graphQL, Body.data, Outcome.data), (294, .graphQL, .partial, .partial),
        (500, .graphQL, .data, .data), (401, .graphQL, .errorsOnly, .requestError), (422, .graphQL, .empty, .status),
        (400, .graphQL, .nullData, .noData), (405, .graphQL, .html, .status), (200, .graphQL, .malformed, .decoding),
        (200, .json, .data, .data), (200, .json, .errorsOnly, .requestError), (294, .json, .nullData, .noData),
        (200, .json, .nullDataAlone, .decoding), (200, .json, .empty, .decoding), (200, .json, .html, .decoding),
        (400, .json, .errorsOnly, .requestError), (500, .json, .nullData, .noData), (500, .json, .data, .status),
        (500, .json, .partial, .status), (401, .json, .foreignErrors, .status), (422, .json, .malformed, .status),
        (200, .html, .data, .validation), (200, .html, .html, .validation), (500, .html, .html, .status),
        (405, .html, .errorsOnly, .status), (200, .none, .data, .data), (400, .none, .errorsOnly, .requestError),
        (500, .none, .empty, .status), (200, .none, .empty, .decoding),
    ])
    func `explicit rows have their outcomes`(status: Int, media: Media, body: Body, expected: Outcome) async throws {
        #expect(try await outcome(of: Row(status: status, media: media, body: body)).0 == expected)
    }

    @Test func `the table covers all combinations`() {
        #expect(Self.rows.count == 7 * 4 * 9)
    }

    @Test func `the error for a status contains its problem details`() async throws {
        let problem = #"{"title":"Closed"}"#
        let reply = CannedReply.data(Data(problem.utf8), type: "application/problem+json", status: 503)
        let error = await #expect(throws: ServiceError.self) { try await load(reply) }
        #expect((error?.serverError as? ProblemDetails)?.title == "Closed")
    }

    private func outcome(of row: Row) async throws -> (Outcome, ServiceError?) {
        let type = row.media == .none ? nil : row.media.rawValue
        let reply = CannedReply.data(Data(row.body.rawValue.utf8), type: type, status: row.status)
        do {
            switch try await load(reply).outcome {
            case .data(let model):
                #expect(model == Model(name: "Rick"))
                return (.data, nil)
            case .partial(let model, let errors):
                #expect(errors.map(\.message) == ["m"])
                return (model == nil ? .noData : .partial, nil)
            case .requestError(let errors):
                #expect(errors.map(\.message) == ["m"])
                return (.requestError, nil)
            }
        } catch let error as ServiceError {
            return (try #require(Outcome(rawValue: error.code.rawValue)), error)
        }
    }

    private func load(_ reply: CannedReply) async throws -> GraphQLResponse<Model> {
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<NoVariables, Model>(try QueryDocument("{ name }"), at: url)
        return try await APILoader(request, session: ScriptedSession([reply])).load()
    }
}
