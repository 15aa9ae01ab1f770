/// A set of statuses that ``ResponseValidator/status(_:_:)`` accepts: a status, or a range of statuses.
public protocol StatusPattern: Sendable {
    /// Returns whether the set contains a status.
    func matches(status: Int) -> Bool
}

extension Int: StatusPattern {
    /// Returns whether this is the status.
    public func matches(status: Int) -> Bool { self == status }
}

extension Range<Int>: StatusPattern {
    /// Returns whether the range contains the status.
    public func matches(status: Int) -> Bool { contains(status) }
}

extension ClosedRange<Int>: StatusPattern {
    /// Returns whether the range contains the status.
    public func matches(status: Int) -> Bool { contains(status) }
}
