/// Log lines on standard output, or wherever a closure puts them.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(PrintLog()))
/// // info: #1 GET https://api.gallery.example/photos?page=2
/// // info: #1 200 OK in 31.4 ms, 5120 bytes: GET https://api.gallery.example/photos?page=2
/// ```
public struct PrintLog: LogSink {
    private let lowest: LoggingInterceptor.Level
    private let write: @Sendable (String) -> Void

    /// Makes a log.
    /// - Parameters:
    ///   - lowest: The least level that is printed; all by default.
    ///   - write: Puts a line somewhere; `print` by default. It may be called from several threads at once.
    public init(
        from lowest: LoggingInterceptor.Level = .trace, write: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.lowest = lowest
        self.write = write
    }

    /// Prints level and line.
    public func log(_ line: String, at level: LoggingInterceptor.Level) {
        guard takes(level) else { return }
        write("\(level.rawValue): \(line)")
    }

    /// Whether a level is not below the least one.
    public func takes(_ level: LoggingInterceptor.Level) -> Bool { level >= lowest }
}
