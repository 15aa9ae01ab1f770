import Errand
import ErrandJSON
import ErrandSupport

/// The media types of GraphQL over HTTP (section Media Types).
enum GraphQLMedia {
    static let response = "application/graphql-response+json"
    static let json = "application/json"
    /// What a client asks for that does not know the server (section Accept).
    static let accept = "\(response), \(json);q=0.9"
}

/// An answer that is to be judged: sections Body and Status Codes.
struct GraphQLAnswer {
    let head: ResponseHead
    let body: Data
    let decoder: JSONDecoder

    /// A response without errors, and its data. The errors are reported before data that does not decode, as a field that
    /// failed is null.
    func complete<Model: Decodable>() throws -> (response: GraphQLResponse<Model>, data: Model) {
        let response: GraphQLResponse<Model>
        do {
            response = try self.response()
        } catch let error as ServiceError where error.code == .decoding && !error.graphQLErrors.isEmpty {
            guard var failure = envelope?.failure else { throw error }
            failure.response = head
            failure.underlying = error.underlying
            throw failure
        }
        return (response, try response.requireComplete())
    }

    func response<Model: Decodable>() throws -> GraphQLResponse<Model> {
        try checkType()
        if !body.isEmpty { try ContentCodings(head.fields).unsupported.requireNone() }
        if !head.isSuccess { try checkTrust() }
        guard !body.isEmpty else { throw ServiceError(.decoding, "expected a GraphQL response, found an empty body") }
        do {
            var response = try FastJSONDecoder(decoder).decode(GraphQLResponse<Model>.self, from: body)
            response.head = head
            return response
        } catch {
            throw failure(error, decoding: Model.self)
        }
    }

    private func failure<Model: Decodable>(_ error: any Error, decoding: Model.Type) -> ServiceError {
        var failure = decoder.failure(error, decoding: GraphQLResponse<Model>.self, from: body)
        guard let cause = error as? DecodingError else { return failure }
        if cause.isNoJSON, let page = head.page(in: body) {
            failure.reason = "expected a GraphQL response, found \(page)"
        } else if cause.path.isEmpty {
            failure.reason = failure.reason.replacing("expected an object,", with: "expected a GraphQL response,")
        }
        guard let errors = envelope?.errors, !errors.isEmpty else { return failure }
        failure.serverError = GraphQLErrors(errors)
        // A field that failed is null. That is often why the data does not fit.
        if let reported = errors.first(where: { $0.explains(cause) }) {
            failure.reason += "; the service reported \(reported)"
        } else {
            failure.reason += "; the service also reported \(GraphQLErrors(errors))"
        }
        return failure
    }

    /// A response of another media type is not from a GraphQL service, even if its body looks like one.
    ///
    /// Without any, the recipient may look into the content (RFC 9110, section 8.3).
    private func checkType() throws {
        guard let field = head.fields["Content-Type"], !field.isEmpty else { return }
        let type = MediaType(field)
        if let type, [GraphQLMedia.response, GraphQLMedia.json].contains(type.essence) { return }
        if !head.isSuccess { throw refusal }
        let found = head.page(in: body) ?? type.map { head.printable($0.essence, limit: 100) } ?? "no valid media type"
        throw ServiceError(.validation, "expected \(GraphQLMedia.response) or \(GraphQLMedia.json), found \(found)")
    }

    /// A status that is not 2xx: the service's own type vouches for the body. Under the other one, data may be anybody's,
    /// as a service must not send it so; a list of GraphQL errors alone is the service's own.
    private func checkTrust() throws {
        guard let envelope else { throw unreadableRefusal }
        if MediaType(of: head)?.essence == GraphQLMedia.response { return }
        guard !envelope.errors.isEmpty, envelope.data == nil else { throw refusal }
    }

    /// The answer without a look at its data; nil for what is no GraphQL response.
    private var envelope: GraphQLResponse<AnyData>? {
        try? FastJSONDecoder(decoder).decode(GraphQLResponse<AnyData>.self, from: body)
    }

    /// As ``refusal``, with the reason why the body is not a GraphQL response, if it claims to be one.
    private var unreadableRefusal: any Error {
        guard MediaType(of: head)?.essence == GraphQLMedia.response, var error = refusal as? ServiceError else {
            return refusal
        }
        do {
            _ = try FastJSONDecoder(decoder).decode(GraphQLResponse<AnyData>.self, from: body)
        } catch let cause {
            let why =
                (cause as? DecodingError).map { FastJSONDecoder.explanation(of: $0, in: body) }
                ?? "its decoder refused it"
            error.reason += "; its body is not a GraphQL response: \(why)"
            error.underlying = error.underlying ?? cause
        }
        return error
    }

    /// The error that any handler throws for this status, problem details included.
    private var refusal: any Error {
        do {
            _ = try ResponseValidator.status().check(URLRequest(url: head.url), head, body)
            return ServiceError(.status, "the server answered \(head.status)")
        } catch {
            return error
        }
    }
}

/// Data that nobody looks at.
struct AnyData: Decodable {
    init(from decoder: any Decoder) {}
}

extension GraphQLError {
    /// Whether decoding failed at this error's field, above it or below it.
    fileprivate func explains(_ failure: DecodingError) -> Bool {
        guard case .valueNotFound = failure, let path, failure.path.first?.stringValue == "data" else { return false }
        return zip(path, failure.path.dropFirst()).allSatisfy { element, key in
            switch element {
            case .field(let name): name == key.stringValue
            case .index(let index): index == key.intValue
            }
        }
    }
}

extension DecodingError {
    /// The coding path of the failure.
    fileprivate var path: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }
}
