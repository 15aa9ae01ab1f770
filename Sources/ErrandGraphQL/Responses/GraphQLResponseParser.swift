import Errand
import ErrandJSON
import ErrandSupport

/// The media types of GraphQL over HTTP (section Media Types) and of GraphQL over SSE.
enum GraphQLMedia {
    static let response = "application/graphql-response+json"
    static let json = "application/json"
    static let events = "text/event-stream"
    static let multipart = "multipart/mixed"
    /// The `Accept` header for incremental delivery, with the parameters that select its format. The media types that
    /// other operations accept follow, for a service that responds at once.
    static let acceptIncremental = """
        \(multipart);incrementalSpec=v0.2, \(multipart);deferSpec=20220824;q=0.9, \(multipart);q=0.8, \
        \(response);q=0.7, \(json);q=0.6
        """
    /// The `Accept` header of a client that does not know which media types the server supports (section Accept).
    static let accept = "\(response), \(json);q=0.9"
}

/// A response to validate and decode (GraphQL over HTTP, sections Body and Status Codes).
struct GraphQLResponseParser {
    let head: ResponseHead
    let body: Data
    let decoder: JSONDecoder
    /// Whether the body is the data of an event or a merged response, which has neither a status nor a media type.
    var isEvent = false

    /// Returns a response without errors, and its data. Errors of the service take precedence over decoding errors,
    /// because a failed field is `null`.
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
        if !isEvent {
            try checkType()
            if !body.isEmpty { try head.checkContentCodings() }
            if !head.isSuccess { try checkTrust() }
        }
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
        if cause.isNoJSON, let page = head.markup(in: body) {
            failure.reason = "expected a GraphQL response, found \(page)"
        } else if cause.path.isEmpty {
            failure.reason = failure.reason.replacing("expected an object,", with: "expected a GraphQL response,")
        }
        guard let errors = envelope?.errors, !errors.isEmpty else { return failure }
        failure.serverError = GraphQLErrors(errors)
        // A failed field is null. This is often the reason for the decoding error.
        if let reported = errors.first(where: { $0.explains(cause) }) {
            failure.reason += "; the service reported \(reported)"
        } else {
            failure.reason += "; the service also reported \(GraphQLErrors(errors))"
        }
        return failure
    }

    /// Rejects other media types. Such a response is not from a GraphQL service, even if its body looks like one.
    ///
    /// Without a `Content-Type` header, a recipient may inspect the content (RFC 9110, section 8.3).
    private func checkType() throws {
        guard let value = head.headers["Content-Type"], !value.isEmpty else { return }
        let type = head.mediaType
        if let type, [GraphQLMedia.response, GraphQLMedia.json].contains(type) { return }
        if !head.isSuccess { throw refusal }
        let named = type.map { head.printable($0, limit: 100) }
        let found = head.markup(in: body) ?? named ?? "no valid media type"
        throw ServiceError(.validation, "expected \(GraphQLMedia.response) or \(GraphQLMedia.json), found \(found)")
    }

    /// Checks that a response with a status other than 2xx is from the service.
    ///
    /// A body of the GraphQL media type is. A JSON body with data may be from an intermediary, because a service must
    /// not send data as JSON with such a status. A JSON body that contains only GraphQL errors is from the service.
    private func checkTrust() throws {
        guard let envelope else { throw unreadableRefusal }
        if head.mediaType == GraphQLMedia.response { return }
        guard !envelope.errors.isEmpty, envelope.data == nil else { throw refusal }
    }

    /// The response without decoding its data. `nil` if the body is not a GraphQL response.
    private var envelope: GraphQLResponse<AnyData>? {
        try? FastJSONDecoder(decoder).decode(GraphQLResponse<AnyData>.self, from: body)
    }

    /// The error of ``refusal``. If the body has the GraphQL media type, the reason also states why it is not a GraphQL
    /// response.
    private var unreadableRefusal: any Error {
        guard head.mediaType == GraphQLMedia.response, var error = refusal as? ServiceError else {
            return refusal
        }
        do {
            _ = try FastJSONDecoder(decoder).decode(GraphQLResponse<AnyData>.self, from: body)
        } catch let cause {
            let why =
                (cause as? DecodingError).map { FastJSONDecoder.explanation(of: $0, in: body) }
                ?? "decoding failed"
            error.reason += "; its body is not a GraphQL response: \(why)"
            error.underlying = error.underlying ?? cause
        }
        return error
    }

    /// The error that any handler throws for this status, problem details included.
    var refusal: any Error {
        do {
            _ = try ResponseValidator.status().check(URLRequest(url: head.url), head, body)
            return ServiceError(.status, "the server responded with status \(head.status)")
        } catch {
            return error
        }
    }
}

/// Data of any type. It is not decoded.
struct AnyData: Decodable {
    init(from decoder: any Decoder) {}
}

extension GraphQLError {
    /// Whether decoding failed at the field of this error, above it or below it.
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
