import ErrandSupport
public import Observation

/// How many requests are in flight, for a spinner.
///
/// ```swift
/// let activity = ActivityTracker()
/// let session = PlatformSession.platform.intercepted(by: activity)
///
/// if activity.isActive { ProgressView() }
/// ```
/// It never makes a request wait: the main actor hears of a change soon after, once for several that come together, and
/// not at all of a request that began and ended meanwhile. A request counts until it has its answer, has failed or was
/// cancelled; one in streamed delivery until its body has ended or nobody can read it any longer. As the outermost interceptor it
/// counts calls, further in it counts attempts.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ActivityTracker {
    /// How many requests are in flight, as far as the main actor has heard.
    public private(set) var count: Int = 0

    /// Whether any is.
    public var isActive: Bool { count > 0 }

    @ObservationIgnored private nonisolated let counter = Locked(ActivityCounter())

    /// Makes a tracker of nothing yet.
    public nonisolated init() {}

    /// How many requests are in flight at this very moment, for code off the main actor; it is not observed.
    public nonisolated var current: Int { counter.withLock { $0.current } }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ActivityTracker: nonisolated Interceptor {
    /// Sends a request and counts it.
    /// - Throws: What the session throws.
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

    /// The task is unstructured because a request does not wait for the main actor; it only copies a number, and there is
    /// one at most at a time.
    private nonisolated func change(_ body: @Sendable (inout ActivityCounter) -> Bool) {
        guard counter.withLock({ body(&$0) }) else { return }
        Task { @MainActor in
            let current = counter.withLock { $0.publish() }
            if count != current { count = current }
        }
    }
}
