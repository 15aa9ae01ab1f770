extension LoggingInterceptor {
    /// A destination for log lines. Implement it to use any logging library.
    ///
    /// A log sink for swift-log (<doc:logging-metrics-and-traces>) has five lines:
    /// ```swift
    /// struct SwiftLog: LoggingInterceptor.Sink {
    ///     let logger: Logging.Logger
    ///     func log(_ line: String, at level: LoggingInterceptor.Level) {
    ///         logger.log(level: Logging.Logger.Level(rawValue: level.rawValue) ?? .info, "\(line)")
    ///     }
    /// }
    /// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(SwiftLog(logger: logger)))
    /// ```
    /// The library contains ``LoggingInterceptor/PrintSink``, and on Apple platforms `LoggingInterceptor.SystemSink`,
    /// which uses `os.Logger`.
    public protocol Sink: Sendable {
        /// Logs one line. The line does not contain secrets or line breaks.
        ///
        /// This method is called on the tasks of the requests and should return quickly.
        func log(_ line: String, at level: LoggingInterceptor.Level)

        /// Returns whether lines of a level are logged. If `false`, the line is not created. The default is `true` for
        /// all levels.
        func accepts(_ level: LoggingInterceptor.Level) -> Bool
    }
}

extension LoggingInterceptor.Sink {
    /// Returns `true`.
    public func accepts(_ level: LoggingInterceptor.Level) -> Bool { true }
}

extension LoggingInterceptor {
    /// The severity of a log line. The names are those of swift-log.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Detailed tracing of the code.
        case trace
        /// Information for debugging.
        case debug
        /// General information.
        case info
        /// An unusual event that is not an error.
        case notice
        /// A condition that may cause an error.
        case warning
        /// An error.
        case error
        /// A critical error that requires immediate attention.
        case critical

        /// Returns whether the first level is less severe.
        public static func < (one: Level, other: Level) -> Bool { one.severity < other.severity }

        private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}
