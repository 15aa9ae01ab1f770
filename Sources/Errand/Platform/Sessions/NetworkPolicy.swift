import ErrandSupport

/// Whether ``PlatformSession`` may reach the real network: a test process can ask that it must not.
///
/// The switch is for the whole process, because what it is to catch is a session that somebody forgot to hand over.
package enum NetworkPolicy {
    private static let isForbidden = Locked(false)
    @TaskLocal private static var isForbiddenHere = false

    /// Forbids it for the rest of the process.
    package static func forbid() { isForbidden.withLock { $0 = true } }

    /// Forbids it within a body and the structured tasks that it starts.
    package static func forbidding<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await $isForbiddenHere.withValue(true, operation: body)
    }

    /// Refuses a request to another machine where that is forbidden, and names the handler that it is from.
    static func check(_ request: APIRequest) throws(ServiceError) {
        guard isForbidden.withLock({ $0 }) || isForbiddenHere, !Origin(request.url).isLoopback else {
            return
        }
        let caller = request.options.handler?.callName ?? "a request without a handler"
        var error = ServiceError(
            .configuration,
            "\(caller) would reach the real network, which this process forbids: was its loader given no session?")
        error.request = request.summary
        throw error
    }
}
