public import Errand

extension ServiceError.Code {
    /// The response of the GraphQL service has no data or only partial data, and the caller requires more.
    public static let graphQL: Self = .init("graphql")
}

extension ServiceError {
    /// The errors of the failed GraphQL response, or an empty array.
    public var graphQLErrors: [GraphQLError] { (serverError as? GraphQLErrors)?.errors ?? [] }
}

/// The errors of a GraphQL response, as stored in ``/Errand/ServiceError/serverError``.
public struct GraphQLErrors: Error, Sendable, Hashable {
    /// The errors, at least one.
    public let errors: [GraphQLError]

    /// Creates a list of errors, for tests.
    public init(_ errors: [GraphQLError]) {
        self.errors = errors
    }
}

extension GraphQLErrors: CustomStringConvertible {
    /// The number of errors and the first error, without its message.
    public var description: String {
        guard let first = errors.first else { return "no error" }
        return errors.count == 1 ? "\(first)" : "\(errors.count) errors, the first: \(first)"
    }
}

extension GraphQLErrors: ServiceError.Redactable {
    /// Returns these errors with redacted paths and codes. Messages are unchanged, because they are not part of a
    /// description.
    public func redacted(by redact: (String) -> String) -> any Error {
        GraphQLErrors(errors.map { $0.redacted(by: redact) })
    }
}

extension GraphQLError {
    fileprivate func redacted(by redact: (String) -> String) -> GraphQLError {
        let path = path?.map { element -> PathElement in
            if case .field(let name) = element { .field(redact(name)) } else { element }
        }
        var extensions = extensions
        if let code = extensions?["code"]?.string { extensions?["code"] = .string(redact(code)) }
        return GraphQLError(message: message, path: path, locations: locations, extensions: extensions)
    }
}
