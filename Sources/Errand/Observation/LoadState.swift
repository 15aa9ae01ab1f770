/// The state of a value that a view loads: idle, loading, loaded or failed.
///
/// ```swift
/// if state.isLoading { ProgressView() }
/// List(state.value ?? []) { photo in PhotoRow(photo) }
/// Text(state.error?.reason ?? "")
/// ```
/// The previous value remains available while the next one is loading, and if that load fails.
public enum LoadState<Value: Sendable>: Sendable {
    /// No load has been started.
    case idle
    /// A load is in progress. Contains the previous value.
    case loading(previous: Value?)
    /// The value has been loaded.
    case loaded(Value)
    /// The load has failed. Contains the previous value.
    case failed(ServiceError, previous: Value?)
}

extension LoadState {
    /// The value to show: the loaded value or, in other states, the previous one.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loaded(let value): value
        case .loading(let previous), .failed(_, let previous): previous
        }
    }

    /// The error of a failed load. `nil` in all other states.
    public var error: ServiceError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether a load is in progress.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension LoadState: Equatable where Value: Equatable {
    /// Returns whether two states and their values are equal. Errors are compared by code and reason.
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
