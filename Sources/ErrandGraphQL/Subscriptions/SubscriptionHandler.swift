import Errand

/// The handler of a subscription. It requests an event stream.
struct SubscriptionHandler<Variables: Encodable & Sendable, Response: Decodable & Sendable>: WrappingHandler {
    let wrapped: GraphQLRequest<Variables, Response>

    func makeRequest(from variables: Variables) throws -> URLRequest {
        try wrapped.makeSubscription(from: variables)
    }

    /// Rejects a status of 400 or above, and a JSON response with GraphQL errors. The event source rejects all other
    /// responses that are not an event stream.
    var validators: [ResponseValidator] { [.graphQLErrors(wrapped.decoder), .status(100..<400)] }
}

extension ResponseValidator {
    /// Rejects a JSON response with GraphQL errors.
    static func graphQLErrors(_ decoder: JSONDecoder) -> ResponseValidator {
        ResponseValidator { _, response, body in
            guard !body.isEmpty, let url = response.url else { return }
            let head = ResponseHead(status: response.statusCode, headers: response.usedHeaders, url: url)
            if let error = GraphQLResponseParser(head: head, body: body, decoder: decoder).requestError { throw error }
        }
    }
}

extension EventSource {
    /// Returns a source that ends with the GraphQL errors of a response that is not an event stream, for lenient
    /// options.
    func refusing(_ decoder: JSONDecoder) -> EventSource {
        refusing { head, body in
            GraphQLResponseParser(head: head, body: body, decoder: decoder, isEvent: true).requestError
        }
    }
}

extension GraphQLResponseParser {
    /// The error for a response with GraphQL errors, or `nil` for any other body. If the status is 400 or above, its code
    /// is that of the status, so that an event source can connect again.
    fileprivate var requestError: ServiceError? {
        guard let response: GraphQLResponse<AnyData> = try? response(), !response.errors.isEmpty else { return nil }
        let cause = response.failure
        var error = cause
        if head.status >= 400, let refusal = refusal as? ServiceError {
            error = refusal
            error.reason += ": \(cause.reason)"
            error.serverError = cause.serverError
        }
        // The loader adds the complete header section.
        error.response = nil
        return error
    }
}

extension HTTPURLResponse {
    /// The headers that describe the body, and the time after which a retry may succeed.
    fileprivate var usedHeaders: HeaderFields {
        HeaderFields(
            ["Content-Type", "Content-Encoding", "Retry-After"].compactMap { name in
                value(forHTTPHeaderField: name).map { HeaderFields.Field(name, $0) }
            })
    }
}
