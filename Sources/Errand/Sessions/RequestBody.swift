/// What a request carries.
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case none
    /// Bytes in memory; they can be sent again.
    case data(Data)

    /// The bytes, nil where there is no body.
    public var data: Data? {
        switch self {
        case .none: nil
        case .data(let data): data
        }
    }
}
