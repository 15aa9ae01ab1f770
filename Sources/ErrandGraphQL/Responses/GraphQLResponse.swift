public import Errand
import ErrandSupport

/// The response of a GraphQL service: data, partial data with errors, or a request error.
///
/// ```swift
/// let page = try response.requireComplete()    // throws if there is any error
/// switch response.outcome {
/// case .data(let page): show(page)
/// case .partial(let page, let errors): show(page, without: errors.compactMap(\.path))
/// case .requestError(let errors): fail(errors)
/// }
/// ```
public struct GraphQLResponse<Model> {
    /// The three kinds of responses (GraphQL, section 7.1).
    public enum Outcome {
        /// The operation was executed without errors.
        case data(Model)
        /// The operation was executed, but some of its fields failed. The data is `nil` if an error propagated to the
        /// root. Side effects of a mutation are not undone.
        case partial(Model?, errors: [GraphQLError])
        /// The operation was not executed. The response has no data.
        case requestError([GraphQLError])
    }

    /// The kind of response, with its data and errors.
    public let outcome: Outcome
    /// Additional information from the service, or `nil`.
    public let extensions: [String: GraphQLValue]?
    /// Whether the service announced more data by incremental delivery. If `true`, the data may lack deferred parts. Only
    /// the snapshots of `snapshots(_:limit:)` request incremental delivery.
    public let hasNext: Bool
    var head: ResponseHead?

    /// Creates a response, for test doubles.
    public init(_ outcome: Outcome, extensions: [String: GraphQLValue]? = nil, hasNext: Bool = false) {
        self.outcome = outcome
        self.extensions = extensions
        self.hasNext = hasNext
    }
}

extension GraphQLResponse: Sendable where Model: Sendable {}
extension GraphQLResponse.Outcome: Sendable where Model: Sendable {}
extension GraphQLResponse.Outcome: Equatable where Model: Equatable {}

extension GraphQLResponse: Equatable where Model: Equatable {
    /// Compares everything but the status and the headers.
    public static func == (one: Self, other: Self) -> Bool {
        one.outcome == other.outcome && one.extensions == other.extensions && one.hasNext == other.hasNext
    }
}

extension GraphQLResponse {
    /// The data, complete or partial. `nil` if the response has no data.
    public var data: Model? {
        switch outcome {
        case .data(let model): model
        case .partial(let model, _): model
        case .requestError: nil
        }
    }

    /// The errors, or an empty array.
    public var errors: [GraphQLError] {
        switch outcome {
        case .data: []
        case .partial(_, let errors): errors
        case .requestError(let errors): errors
        }
    }

    /// Returns the data if it is complete and the response has no errors.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``.
    public func requireComplete() throws(ServiceError) -> Model {
        guard case .data(let model) = outcome else { throw failure }
        guard !hasNext else { throw error("expected a complete response, found the first part of several") }
        return model
    }

    /// Returns the data, complete or partial.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL`` if the response has no data.
    public func requireData() throws(ServiceError) -> Model {
        guard let data else { throw failure }
        return data
    }

    var failure: ServiceError {
        let errors = GraphQLErrors(errors)
        if case .requestError = outcome { return error("the service refused the request: \(errors)") }
        return error("the service returned \(data == nil ? "no" : "partial") data: \(errors)")
    }

    private func error(_ reason: String) -> ServiceError {
        var error = ServiceError(.graphQL, reason)
        error.response = head
        if !errors.isEmpty { error.serverError = GraphQLErrors(errors) }
        return error
    }
}

extension GraphQLResponse: Decodable where Model: Decodable {
    private enum CodingKeys: String, CodingKey { case data, errors, extensions, hasNext }

    /// Decodes a response. Unknown members, for example those of incremental delivery, are ignored.
    /// - Throws: A `DecodingError` with its coding path if the data has an unexpected type, if an error has no message,
    ///   or if the body is not a GraphQL response: it has neither data nor errors, or null data without errors
    ///   (GraphQL, section 7.1). A service should not send an empty list of errors. Such a list is treated as no
    ///   errors.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let errors = try members.decodeIfPresent([GraphQLError].self, forKey: .errors) ?? []
        extensions = try? members.decodeIfPresent([String: GraphQLValue].self, forKey: .extensions)
        hasNext = (try? members.decodeIfPresent(Bool.self, forKey: .hasNext)) ?? false
        guard members.contains(.data) || errors.isEmpty else {
            outcome = .requestError(errors)
            return
        }
        guard members.contains(.data) || members.contains(.errors) else {
            let form = ExpectedForm(words: "a GraphQL response with data or errors", found: "neither")
            throw DecodingError.dataCorrupted(
                .init(codingPath: members.codingPath, debugDescription: "not \(form.words)", underlyingError: form))
        }
        let isNull = try members.decodeNil(forKey: .data)
        if isNull, errors.isEmpty {
            let path = members.codingPath + [CodingKeys.data]
            throw DecodingError.valueNotFound(
                [String: Any].self, .init(codingPath: path, debugDescription: "null data without errors"))
        }
        let data = isNull ? nil : try members.decode(Model.self, forKey: .data)
        outcome = if errors.isEmpty, let data { .data(data) } else { .partial(data, errors: errors) }
    }
}

extension GraphQLResponse.Outcome: CustomStringConvertible {
    /// The kind and the errors, without data and error messages.
    public var description: String {
        switch self {
        case .data: "data"
        case .partial(let data, let errors): "\(data == nil ? "no" : "partial") data with \(GraphQLErrors(errors))"
        case .requestError(let errors): "request error: \(GraphQLErrors(errors))"
        }
    }
}
