import ErrandSupport

/// The reason that a value cannot be encoded as query items. The texts contain no values, which may be secrets.
enum QueryProblem: Error {
    case tooDeep, notFinite, dateOutOfRange, mixedContainers, writtenTwice, notKeyed
    case unsupported(type: String)

    /// Returns the error for a key path. It contains this problem instead of the invalid value, so that a printed error
    /// does not show the value.
    func error(at path: [any CodingKey]) -> EncodingError {
        .invalidValue(self, .init(codingPath: path, debugDescription: text, underlyingError: self))
    }

    var text: String {
        switch self {
        case .tooDeep: "nested deeper than \(QueryEncoder.depthLimit) levels"
        case .notFinite: "expected a finite number"
        case .dateOutOfRange: "expected a date in the years 0 to 9999"
        case .mixedContainers: "expected one kind of container in encode(to:), found two"
        case .writtenTwice: "expected one value in the single-value container of encode(to:), found several"
        case .notKeyed: "expected a value with keys, found an array or a single value, which has no name"
        case .unsupported(let type): "unsupported type \(type): make it Encodable"
        }
    }
}

extension ServiceError {
    /// Creates an error from an error of the query encoder.
    /// - Parameters:
    ///   - error: An error of ``QueryProblem``, or one that a user's `encode(to:)` threw. It is kept as the cause.
    ///   - path: The key path at which a user's error was thrown.
    init(queryError error: any Error, thrownAt path: [any CodingKey]) {
        guard case EncodingError.invalidValue(_, let context) = error,
            let problem = context.underlyingError as? QueryProblem
        else {
            self.init(.encoding, Self.prefix(path) + "encode(to:) threw an error", underlying: error)
            return
        }
        self.init(.encoding, Self.prefix(context.codingPath) + problem.text, underlying: error)
    }

    private static func prefix(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "query value: " : "query value at \(path.joinedPath.singleLine()): "
    }
}
