public import Errand

extension ServiceError.Code {
    /// The GraphQL service's answer has no data, or not all of it, and the caller required that.
    public static let graphQL: Self = .init("graphql")
}

extension ServiceError {
    /// The errors of the GraphQL response that failed; empty where there was none.
    public var graphQLErrors: [GraphQLError] { (serverError as? GraphQLErrors)?.errors ?? [] }
}

/// The errors of one GraphQL response, as ``/Errand/ServiceError/serverError`` holds them.
public struct GraphQLErrors: Error, Sendable, Hashable {
    /// At least one, as a response has them.
    public let errors: [GraphQLError]

    /// Makes what a caller is tested with.
    public init(_ errors: [GraphQLError]) {
        self.errors = errors
    }
}

extension GraphQLErrors: CustomStringConvertible {
    /// How many there are, and the first one, without its message.
    public var description: String {
        guard let first = errors.first else { return "no error" }
        return errors.count == 1 ? "\(first)" : "\(errors.count) errors, the first: \(first)"
    }
}

extension GraphQLErrors: ServerText {
    package func hiding(_ secrets: CarriedSecrets) -> any Error { GraphQLErrors(errors.map { $0.hiding(secrets) }) }
}

extension GraphQLError {
    /// This error with the secrets masked in its description. Its message stays as it is.
    fileprivate func hiding(_ secrets: CarriedSecrets) -> GraphQLError {
        let path = path?.map { element -> PathElement in
            if case .field(let name) = element { .field(secrets.masked(name)) } else { element }
        }
        var extensions = extensions
        if let code = extensions?["code"]?.string { extensions?["code"] = .string(secrets.masked(code)) }
        return GraphQLError(message: message, path: path, locations: locations, extensions: extensions)
    }
}
