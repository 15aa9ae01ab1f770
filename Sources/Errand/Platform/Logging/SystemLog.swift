#if canImport(os)
    import os

    /// Log lines in the system's log.
    ///
    /// ```swift
    /// let log = SystemLog(subsystem: "example.gallery", category: "network")
    /// let session = PlatformSession.platform.intercepted(by: LoggingLayer(log))
    /// ```
    /// Lines are public there, as they hold no secret.
    public struct SystemLog: LogSink {
        private let logger: os.Logger

        /// Makes a log of a subsystem and a category.
        public init(subsystem: String, category: String = "network") {
            logger = os.Logger(subsystem: subsystem, category: category)
        }

        /// Writes a line.
        public func log(_ line: String, at level: LogLevel) {
            logger.log(level: level.type, "\(line, privacy: .public)")
        }
    }

    extension LogLevel {
        /// The nearest of the system's levels, which has fewer.
        fileprivate var type: OSLogType {
            switch self {
            case .trace, .debug: .debug
            case .info: .info
            case .notice, .warning: .default
            case .error: .error
            case .critical: .fault
            }
        }
    }
#endif
