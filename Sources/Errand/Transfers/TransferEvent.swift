/// An event of an upload or a download.
///
/// ```swift
/// for try await event in loader.upload(avatar) {
///     switch event {
///     case .progress(let progress): bar.value = progress.fraction
///     case .finished(let value): show(value)
///     }
/// }
/// ```
public enum TransferEvent<Value: Sendable>: Sendable {
    /// The current progress.
    case progress(TransferProgress)
    /// The value of the API call. It is the last event.
    case finished(Value)
}

extension TransferEvent: Equatable where Value: Equatable {}
extension TransferEvent: Hashable where Value: Hashable {}
