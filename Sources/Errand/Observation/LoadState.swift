/// What a view knows of a value that is loaded: nothing yet, on the way, here, or failed.
///
/// ```swift
/// if state.isLoading { ProgressView() }
/// List(state.value ?? []) { photo in PhotoRow(photo) }
/// Text(state.error?.reason ?? "")
/// ```
/// The value that was there before stays to be shown while the next one is on the way, and when that one fails.
public enum LoadState<Value: Sendable>: Sendable {
    /// Nothing was asked for yet.
    case idle
    /// On the way, with the value that was there before.
    case loading(previous: Value?)
    /// Here.
    case loaded(Value)
    /// Failed, with the value that was there before.
    case failed(ServiceError, previous: Value?)
}

extension LoadState {
    /// What there is to show: the loaded value, or else the previous one.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loaded(let value): value
        case .loading(let previous), .failed(_, let previous): previous
        }
    }

    /// Why it failed; nil in every other state.
    public var error: ServiceError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether something is on the way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension LoadState: Equatable where Value: Equatable {
    /// Whether state and value are the same; errors are compared by code and reason.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.idle, .idle): true
        case (.loading(let one), .loading(let other)): one == other
        case (.loaded(let one), .loaded(let other)): one == other
        case (.failed(let error, let one), .failed(let otherError, let other)):
            error.code == otherError.code && error.reason == otherError.reason && one == other
        default: false
        }
    }
}
