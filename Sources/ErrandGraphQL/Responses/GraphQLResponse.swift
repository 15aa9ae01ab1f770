public import Errand
import ErrandSupport

/// What a GraphQL service answered: data, partial data with errors, or a request error.
///
/// ```swift
/// let page = try answer.requireComplete()      // throws where there is any error
/// switch answer.outcome {
/// case .data(let page): show(page)
/// case .partial(let page, let errors): show(page, without: errors.compactMap(\.path))
/// case .requestError(let errors): fail(errors)
/// }
/// ```
public struct GraphQLResponse<Model> {
    /// The three kinds of answer (GraphQL, section 7.1).
    public enum Outcome {
        /// The operation was executed without an error.
        case data(Model)
        /// The operation was executed, and some of its fields failed; the data is nil where that reached the root. What a
        /// mutation has done, stays done.
        case partial(Model?, errors: [GraphQLError])
        /// The operation was not executed: there is no data.
        case requestError([GraphQLError])
    }

    /// Which kind it is.
    public let outcome: Outcome
    /// What the service adds; nil where it adds nothing.
    public let extensions: [String: GraphQLValue]?
    /// Whether more was to follow by incremental delivery, which this library does not ask for: what is here may then lack
    /// deferred parts.
    public let hasNext: Bool
    var head: ResponseHead?

    /// Makes a response, for test doubles.
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
    /// Whether they say the same, whatever their heads.
    public static func == (one: Self, other: Self) -> Bool {
        one.outcome == other.outcome && one.extensions == other.extensions && one.hasNext == other.hasNext
    }
}

extension GraphQLResponse {
    /// The data, complete or partial; nil where there is none.
    public var data: Model? {
        switch outcome {
        case .data(let model): model
        case .partial(let model, _): model
        case .requestError: nil
        }
    }

    /// The errors; empty where there are none.
    public var errors: [GraphQLError] {
        switch outcome {
        case .data: []
        case .partial(_, let errors): errors
        case .requestError(let errors): errors
        }
    }

    /// The data, where there is no error and nothing lacks.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``.
    public func requireComplete() throws(ServiceError) -> Model {
        guard case .data(let model) = outcome else { throw failure }
        guard !hasNext else { throw error("the answer is the first part of several") }
        return model
    }

    /// The data, complete or partial.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL`` where there is none.
    public func requireData() throws(ServiceError) -> Model {
        guard let data else { throw failure }
        return data
    }

    var failure: ServiceError {
        let errors = GraphQLErrors(errors)
        if case .requestError = outcome { return error("the service refused the request: \(errors)") }
        return error("the service answered with \(data == nil ? "no" : "partial") data: \(errors)")
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

    /// Decodes a response; members that it does not know, those of incremental delivery for example, are left alone.
    ///
    /// - Throws: `DecodingError` with its coding path for data that does not fit, an error without a message, and for what
    ///   is no response: neither data nor errors, or null data without errors (GraphQL, section 7.1). An empty list of
    ///   errors, which no service should send, is taken for none.
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
                .init(codingPath: members.codingPath, debugDescription: "no \(form.words)", underlyingError: form))
        }
        let isNull = try members.decodeNil(forKey: .data)
        if isNull, errors.isEmpty {
            let path = members.codingPath + [CodingKeys.data]
            throw DecodingError.valueNotFound(
                [String: Any].self, .init(codingPath: path, debugDescription: "null, no errors"))
        }
        let data = isNull ? nil : try members.decode(Model.self, forKey: .data)
        outcome = if errors.isEmpty, let data { .data(data) } else { .partial(data, errors: errors) }
    }
}

extension GraphQLResponse.Outcome: CustomStringConvertible {
    /// The kind and the errors, without data and messages.
    public var description: String {
        switch self {
        case .data: "data"
        case .partial(let data, let errors): "\(data == nil ? "no" : "partial") data with \(GraphQLErrors(errors))"
        case .requestError(let errors): "request error: \(GraphQLErrors(errors))"
        }
    }
}
