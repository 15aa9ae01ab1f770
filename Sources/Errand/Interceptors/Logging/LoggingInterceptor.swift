import ErrandSupport

/// Logs each request that passes: a line when it begins, and one when it ends.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(LoggingInterceptor.PrintSink()))
/// // info: #1 GET https://api.gallery.example/photos?page=2
/// // info: #1 200 OK in 31.4 ms, 5120 bytes: GET https://api.gallery.example/photos?page=2
/// ```
/// The number tells which lines are of one request. The innermost interceptor sees each attempt, the outermost each call. In
/// streamed delivery the second line is written at the header section. A line of a refused request ends with the
/// server's own message (``ServiceError/serverMessage``) if the call's validators find one in a buffered body. No line holds
/// a secret: URLs are masked by the call's ``RequestOptions/redaction``, and bodies and headers are not logged.
public final class LoggingInterceptor: Interceptor {
    private let sink: any LoggingInterceptor.Sink
    private let level: LoggingInterceptor.Level
    private let failureLevel: LoggingInterceptor.Level
    private let count = Locked(0)

    /// Makes the interceptor.
    /// - Parameters:
    ///   - sink: Where lines go.
    ///   - level: The level of what goes well, and of cancelled requests; ``LoggingInterceptor/Level/info`` by default.
    ///   - failureLevel: The level of requests that fail, or are answered with 4xx or 5xx; ``LoggingInterceptor/Level/error`` by default.
    public init(
        _ sink: some LoggingInterceptor.Sink, level: LoggingInterceptor.Level = .info,
        failureLevel: LoggingInterceptor.Level = .error
    ) {
        self.sink = sink
        self.level = level
        self.failureLevel = failureLevel
    }

    /// Sends a request and logs it.
    /// - Throws: What the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard sink.takes(level) || sink.takes(failureLevel) else { return try await next.send(request) }
        let number = count.withLock { count in
            count &+= 1
            return count
        }
        request.options.trail?.secrets.note(request)
        let secrets = request.secrets
        let summary = request.summary.hiding(secrets)
        log("#\(number) \(summary)", at: level)
        let time = request.options.time
        let start = time.now
        do {
            let response = try await next.send(request)
            let elapsed = (time.now - start).milliseconds
            let message = request.serverMessage(in: response).map { ": \($0)" } ?? ""
            log(
                "#\(number) \(response.outcome) in \(elapsed) ms, \(response.size): \(summary)\(message)",
                at: response.head.status < 400 ? level : failureLevel)
            return response
        } catch {
            // Whatever a session makes of it: a cancelled call ends as one.
            let cause: any Error = Task.isCancelled ? CancellationError() : error
            let failure = ServiceError(wrapping: cause, as: .transport, "the session failed").hiding(secrets)
            let elapsed = (time.now - start).milliseconds
            log(
                "#\(number) \(failure.code) after \(elapsed) ms: \(summary): \(failure.reason)",
                at: failure.code == .cancelled ? level : failureLevel)
            throw error
        }
    }

    private func log(_ line: @autoclosure () -> String, at level: LoggingInterceptor.Level) {
        guard sink.takes(level) else { return }
        sink.log(line().singleLine(limit: 4_096), at: level)
    }
}

extension APIRequest {
    /// The server's message in a refused response, read by the validators of the call's handler.
    fileprivate func serverMessage(in response: APIResponse) -> String? {
        guard response.head.status >= 400, let body = response.body.data, !body.isEmpty else { return nil }
        let responseHead = response.head.hiding(options.redaction)
        for validator in options.handler?.validators ?? [.status()] {
            do { _ = try validator.check(head, responseHead, body) } catch {
                return (error as? ServiceError)?.serverMessage
            }
        }
        return nil
    }
}

extension APIResponse {
    /// The status with its phrase; the usual one, as a server may write anything there.
    fileprivate var outcome: String {
        let phrase = reasonPhrase(head.status)
        return phrase.isEmpty ? "\(head.status)" : "\(head.status) \(phrase)"
    }

    fileprivate var size: String { body.data.map { "\($0.count) bytes" } ?? "a stream" }
}
