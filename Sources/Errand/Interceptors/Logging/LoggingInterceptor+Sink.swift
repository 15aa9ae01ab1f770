extension LoggingInterceptor {
    /// Where log lines go: a small seam, so that every logging library can be behind it.
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
    /// Ready are ``LoggingInterceptor/PrintSink``, and on Apple platforms `LoggingInterceptor.SystemSink`, which is an `os.Logger`.
    public protocol Sink: Sendable {
        /// Takes one line; it holds no secret and no line break.
        ///
        /// It is called on the calls' own tasks: it should return at once.
        func log(_ line: String, at level: LoggingInterceptor.Level)

        /// Whether lines of a level are taken at all; where not, none is made. By default all are.
        func takes(_ level: LoggingInterceptor.Level) -> Bool
    }
}

extension LoggingInterceptor.Sink {
    /// All levels.
    public func takes(_ level: LoggingInterceptor.Level) -> Bool { true }
}

extension LoggingInterceptor {
    /// How much a log line matters. The names are those of swift-log.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// For following code step by step.
        case trace
        /// For finding a fault.
        case debug
        /// What happens.
        case info
        /// What happens and is not usual.
        case notice
        /// What may become an error.
        case warning
        /// What failed.
        case error
        /// What needs somebody at once.
        case critical

        /// The less severe one first.
        public static func < (one: Level, other: Level) -> Bool { one.severity < other.severity }

        private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}
