import ErrandSupport

/// Whether ``PlatformSession`` may use the network. A test process can forbid it.
///
/// The setting applies to the whole process, because it must detect a loader that was created without a session.
package enum NetworkPolicy {
    private static let isForbidden = Locked(false)
    @TaskLocal private static var isForbiddenHere = false

    /// Forbids network access for the rest of the process.
    package static func forbid() { isForbidden.withLock { $0 = true } }

    /// Forbids network access within a body and the structured tasks that it starts.
    package static func forbidding<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await $isForbiddenHere.withValue(true, operation: body)
    }

    /// Rejects a request to another machine if network access is forbidden. The error names the handler.
    static func check(_ request: APIRequest) throws(ServiceError) {
        guard isForbidden.withLock({ $0 }) || isForbiddenHere, !Origin(request.url).isLoopback else {
            return
        }
        let caller = request.options.handler?.callName ?? "a request without a handler"
        var error = ServiceError(
            .configuration,
            "\(caller) would reach the real network, which this process forbids; pass a test session to its loader")
        error.request = request.summary
        throw error
    }
}
