/// An activity of an event source, for a display of its connection.
///
/// ```swift
/// for try await activity in loader.events(query).activities {
///     switch activity {
///     case .opened: status = "online"
///     case .disconnected(_, let wait): status = "offline, next attempt in \(wait)"
///     case .event(let event): show(event)
///     case .comment: break
///     }
/// }
/// ```
public enum EventActivity: Sendable {
    /// The server accepted a connection.
    case opened(ResponseHead)
    /// An event.
    case event(ServerSentEvent)
    /// A comment, for example one that keeps the connection open.
    case comment(String)
    /// A connection ended or failed, and the source connects again after the wait. The error is `nil` if the server
    /// ended the stream. An error that ends the source is thrown instead.
    case disconnected(ServiceError?, reconnectsAfter: Duration)
}
