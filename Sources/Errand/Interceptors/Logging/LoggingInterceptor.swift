import ErrandSupport

/// Logs the beginning and the end of each request, with one line each.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(LoggingInterceptor.PrintSink()))
/// // info: #1 GET https://api.gallery.example/photos?page=2
/// // info: #1 200 OK in 31.4 ms, 5120 bytes: GET https://api.gallery.example/photos?page=2
/// ```
/// The number identifies the lines of one request. As the innermost interceptor it logs each attempt, and as the
/// outermost each API call. In streamed delivery, the second line is written when the header section arrives. The line
/// of a refused request ends with the message of the server (``ServiceError/serverMessage``) if the validators of the
/// API call find one in a buffered body. Lines contain no secrets: URLs are masked by the ``RequestOptions/redaction``
/// of the request, and bodies and headers are not logged.
public final class LoggingInterceptor: Interceptor {
    private let sink: any LoggingInterceptor.Sink
    private let level: LoggingInterceptor.Level
    private let failureLevel: LoggingInterceptor.Level
    private let count = Locked(0)

    /// Creates the interceptor.
    /// - Parameters:
    ///   - sink: The destination of the lines.
    ///   - level: The level of successful and cancelled requests. The default is ``LoggingInterceptor/Level/info``.
    ///   - failureLevel: The level of failed requests, and of responses with status 400 or higher. The default is
    ///     ``LoggingInterceptor/Level/error``.
    public init(
        _ sink: some LoggingInterceptor.Sink, level: LoggingInterceptor.Level = .info,
        failureLevel: LoggingInterceptor.Level = .error
    ) {
        self.sink = sink
        self.level = level
        self.failureLevel = failureLevel
    }

    /// Sends a request and logs it.
    /// - Throws: The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard sink.accepts(level) || sink.accepts(failureLevel) else { return try await next.send(request) }
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
            // A cancelled request is always logged as cancelled, independent of the error of the session.
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
        guard sink.accepts(level) else { return }
        sink.log(line().singleLine(limit: 4_096), at: level)
    }
}

extension APIRequest {
    /// The message of the server in a refused response, as found by the validators of the response handler.
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
    /// The status with its standard reason phrase. The received phrase is not used, because it can be any text.
    fileprivate var outcome: String {
        let phrase = reasonPhrase(head.status)
        return phrase.isEmpty ? "\(head.status)" : "\(head.status) \(phrase)"
    }

    fileprivate var size: String { body.data.map { "\($0.count) bytes" } ?? "a stream" }
}
