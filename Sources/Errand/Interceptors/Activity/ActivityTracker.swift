import ErrandSupport
public import Observation

/// The number of requests in flight, for an activity indicator.
///
/// ```swift
/// let activity = ActivityTracker()
/// let session = PlatformSession.platform.intercepted(by: activity)
///
/// if activity.isActive { ProgressView() }
/// ```
/// The tracker never delays a request. The main actor is updated asynchronously, once for several changes that occur
/// together. It is not updated for a request that begins and ends before the update. A request counts until its
/// response has arrived, or until it has failed or was cancelled. In streamed delivery, it counts until its body has
/// ended or was released. As the outermost interceptor, the tracker counts API calls. Inside a ``RetryInterceptor``,
/// it counts attempts.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ActivityTracker {
    /// The number of requests in flight at the latest update of the main actor.
    public private(set) var count: Int = 0

    /// Whether ``count`` is greater than zero.
    public var isActive: Bool { count > 0 }

    @ObservationIgnored private nonisolated let counter = Locked(ActivityCounter())

    /// Creates a tracker with a count of zero.
    public nonisolated init() {}

    /// The present number of requests in flight, for code outside the main actor. This property is not observed.
    public nonisolated var current: Int { counter.withLock { $0.current } }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ActivityTracker: nonisolated Interceptor {
    /// Sends a request and counts it.
    /// - Throws: The error of the session.
    public nonisolated func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        change { $0.begin() }
        let active = ActiveRequest { self.change { $0.end() } }
        do {
            var response = try await next.send(request)
            if response.body.data == nil {
                response.body = response.body.reportingEnd(to: active)
            } else {
                active.end()
            }
            return response
        } catch {
            active.end()
            throw error
        }
    }

    /// The task is unstructured because a request does not wait for the main actor. It only copies a number, and at
    /// most one such task is pending.
    private nonisolated func change(_ body: @Sendable (inout ActivityCounter) -> Bool) {
        guard counter.withLock({ body(&$0) }) else { return }
        Task { @MainActor in
            let current = counter.withLock { $0.publish() }
            if count != current { count = current }
        }
    }
}
