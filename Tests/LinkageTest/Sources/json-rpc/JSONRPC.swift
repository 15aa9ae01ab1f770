import Errand
import ErrandJSON

/// A JSON-RPC 2.0 call, written outside the package with its public API. Like a GraphQL operation, a call is sent by
/// POST to one URL. Its response has a result or an error, whatever the status.
struct JSONRPCCall<Parameters: Encodable & Sendable, Result: Decodable & Sendable>: APIHandler {
    let method: String
    let url: URL
    /// Whether interceptors may retry the call, because a repeated call has no further effect.
    var isIdempotent = false

    private struct Body: Encodable {
        let jsonrpc = "2.0"
        let id = 1
        let method: String
        let params: Parameters
    }

    private struct Response: Decodable {
        let result: Result?
        let error: JSONRPCError?
    }

    var callName: String { method }

    var validators: [ResponseValidator] { [] }

    func makeRequest(from parameters: Parameters) throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = HTTPMethod.post.rawValue
        setDefaultHeaders(on: &request)
        try setJSONBody(Body(method: method, params: parameters), on: &request)
        return request
    }

    func options(for parameters: Parameters) -> RequestOptions {
        var options = RequestOptions()
        if isIdempotent { options.idempotency = .always }
        return options
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Result {
        try head.checkContentCodings()
        guard head.mediaType == "application/json" else {
            let found = head.markup(in: data) ?? head.mediaType.map { head.printable($0, limit: 100) }
            throw ServiceError(.validation, "expected application/json, found \(found ?? "no media type")")
        }
        let response = try decode(data)
        if let result = response.result { return result }
        var failure = ServiceError(.rpc, "the service refused the call")
        failure.serverError = response.error
        throw failure
    }
}

extension JSONRPCCall {
    private func decode(_ data: Data) throws(ServiceError) -> Response {
        let decoder = JSONDecoder.errand
        do {
            return try FastJSONDecoder(decoder).decode(Response.self, from: data)
        } catch {
            throw decoder.failure(error, decoding: Response.self, from: data)
        }
    }
}

struct JSONRPCError: Error, Decodable, CustomStringConvertible {
    /// The error details. The protocol allows any JSON value. Only strings and arrays are printed.
    enum Details: Decodable, CustomStringConvertible {
        case text(String), list([Details]), other

        init(from decoder: any Decoder) throws {
            let isTooDeep = !decoder.limitsNesting && decoder.codingPath.count > 64
            if !isTooDeep, decoder.mayHold(.string), let text = try? String(from: decoder) {
                self = .text(text)
            } else if !isTooDeep, decoder.mayHold(.array), let list = try? [Details](from: decoder) {
                self = .list(list)
            } else {
                self = .other
            }
        }

        var description: String {
            switch self {
            case .text(let text): text
            case .list(let list): "\(list)"
            case .other: "other"
            }
        }
    }

    let code: Int
    let message: String
    let data: Details?

    var description: String { "\(code) \(message), \(data.map { "\($0)" } ?? "no details")" }
}

extension ServiceError.Code {
    static let rpc: Self = .init("rpc")
}

@main enum Program {
    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            return print("usage: json-rpc URL")
        }
        do {
            print(try await APILoader(JSONRPCCall<[Int], Int>(method: "subtract", url: url)).load([42, 23]))
        } catch {
            print("error: \(error.code)\(error.serverError.map { ", \($0)" } ?? "")")
        }
    }
}
