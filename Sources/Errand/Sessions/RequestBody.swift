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

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The size alone.
    public var description: String { data.map { "‹\($0.count) bytes›" } ?? "‹no body›" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["size": data?.count ?? 0]) }
}
