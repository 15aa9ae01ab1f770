// swift-format-ignore-file

// https://developer.apple.com/documentation/os/osallocatedunfairlock
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private let state: UnsafeMutablePointer<State>
    public init(uncheckedState initialState: State) {
        state = .allocate(capacity: 1)
        state.initialize(to: initialState)
    }
    public init(initialState: State) where State: Sendable { self.init(uncheckedState: initialState) }
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try body(&state.pointee)
    }
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { try body(&state.pointee) }
}
