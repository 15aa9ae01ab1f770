import Errand

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

    /// An answer without errors, and its data. A field that failed is null, so that the errors tell more than what then does not decode.
    func complete<Model: Decodable>() throws -> (response: GraphQLResponse<Model>, data: Model) {
        let response: GraphQLResponse<Model>
        do {
            response = try self.response()
        } catch let error as ServiceError where error.code == .decoding && !error.graphQLErrors.isEmpty {
            var failure = GraphQLResponse<AnyData>(.partial(nil, errors: error.graphQLErrors)).failure
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
        guard !body.isEmpty else { throw ServiceError(.decoding, "the body is empty, expected a GraphQL response") }
        do {
            var response = try decoder.decodeQuickly(GraphQLResponse<Model>.self, from: body)
            response.head = head
            return response
        } catch {
            var failure = ServiceError(wrapping: error, as: .decoding, "the body can't be decoded")
            // A field that failed is null, which is often why the data does not fit.
            if let errors = envelope?.errors, !errors.isEmpty { failure.serverError = GraphQLErrors(errors) }
            throw failure
        }
    }

    /// Another media type is no answer of a GraphQL service, whatever is in the body.
    ///
    /// Without any, the recipient may look into the content (RFC 9110, section 8.3).
    private func checkType() throws {
        guard let field = head.fields["Content-Type"], !field.isEmpty else { return }
        let type = MediaType(field)
        if let type, [GraphQLMedia.response, GraphQLMedia.json].contains(type.essence) { return }
        if !head.isSuccess { throw refusal }
        let found = type?.essence.singleLine(limit: 100) ?? "what is no media type"
        throw ServiceError(.validation, "expected \(GraphQLMedia.response) or \(GraphQLMedia.json), found \(found)")
    }

    /// A status that is not 2xx: the service's own type vouches for the body. Under the other one, data may be anybody's,
    /// as a service must not send it so; a list of GraphQL errors alone is the service's own.
    private func checkTrust() throws {
        guard let envelope else { throw refusal }
        if MediaType(of: head)?.essence == GraphQLMedia.response { return }
        guard !envelope.errors.isEmpty, envelope.data == nil else { throw refusal }
    }

    /// The answer without a look at its data; nil for what is no GraphQL response.
    private var envelope: GraphQLResponse<AnyData>? {
        try? decoder.decodeQuickly(GraphQLResponse<AnyData>.self, from: body)
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
