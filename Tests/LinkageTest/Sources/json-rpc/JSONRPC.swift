import Errand
import ErrandJSON

/// An extension outside the package: calls of a JSON-RPC 2.0 service, with the public API only. Like a GraphQL operation, a call
/// is sent by POST to one URL, and its response has a result or an error, whatever the status.
struct JSONRPCCall<Parameters: Encodable & Sendable, Result: Decodable & Sendable>: APIHandler {
    let method: String
    let url: URL
    /// Whether a repeated call has no other effect, so that an interceptor may send it again.
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
        let response: Response = try defaultParseResponse(data: data, head: head)
        if let result = response.result { return result }
        var failure = ServiceError(.rpc, "the service refused the call")
        failure.serverError = response.error
        throw failure
    }
}

struct JSONRPCError: Error, Decodable, CustomStringConvertible {
    /// The protocol allows any JSON value. These are the ones that are printed.
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
