import ErrandSupport

/// Why a value can't become query items. No text of it holds a value, as values may be secrets.
enum QueryProblem: Error {
    case tooDeep, notFinite, dateOutOfRange, mixedContainers, writtenTwice, notKeyed
    case unsupported(type: String)

    /// The problem at a place of the value; it stands where the invalid value would, so that no printed error shows that.
    func error(at path: [any CodingKey]) -> EncodingError {
        .invalidValue(self, .init(codingPath: path, debugDescription: text, underlyingError: self))
    }

    var text: String {
        switch self {
        case .tooDeep: "nested deeper than \(QueryEncoder.depthLimit) levels"
        case .notFinite: "a number that is not finite has no text"
        case .dateOutOfRange: "a date outside the years 0 to 9999 has no text"
        case .mixedContainers: "its encode(to:) asks for two kinds of container"
        case .writtenTwice: "its encode(to:) writes more than one value into a single-value container"
        case .notKeyed: "a value at the top must have keys; an array or a single value has no name to be sent under"
        case .unsupported(let type): "a value of type \(type) has no text; make it Encodable"
        }
    }
}

extension ServiceError {
    /// What the caller is told of an error met on the way to query items.
    /// - Parameters:
    ///   - error: Ours, or one that a user's `encode(to:)` threw; kept as the cause.
    ///   - path: Where a user's error was thrown.
    init(queryError error: any Error, thrownAt path: [any CodingKey]) {
        guard case EncodingError.invalidValue(_, let context) = error,
            let problem = context.underlyingError as? QueryProblem
        else {
            self.init(.encoding, Self.place(path) + "its encode(to:) threw an error", underlying: error)
            return
        }
        self.init(.encoding, Self.place(context.codingPath) + problem.text, underlying: error)
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "query value: " : "query value at \(path.joinedPath.singleLine()): "
    }
}
