/// Brings one value that must not be shared to the thread that will own it.
final class Handover<Value>: Sendable {
    private let value: Locked<Value?>

    init(_ value: sending Value) {
        self.value = Locked(value)
    }

    func take() -> sending Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
