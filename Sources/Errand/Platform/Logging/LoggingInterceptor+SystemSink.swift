#if canImport(os)
    import os

    extension LoggingInterceptor {
        /// A log sink that writes to the system's log.
        ///
        /// ```swift
        /// let log = LoggingInterceptor(.system(subsystem: "example.gallery", category: "network"))
        /// let session = PlatformSession.platform.intercepted(by: log)
        /// ```
        /// Lines are logged as public, because they contain no secrets.
        public struct SystemSink: LoggingInterceptor.Sink {
            private let logger: os.Logger

            /// Creates a log sink.
            /// - Parameters:
            ///   - subsystem: The subsystem of each line, such as the identifier of the app.
            ///   - category: The category of each line within the subsystem.
            public init(subsystem: String, category: String = "network") {
                logger = os.Logger(subsystem: subsystem, category: category)
            }

            /// Writes a line with the nearest level of the system's log, which has fewer levels.
            public func log(_ line: String, at level: LoggingInterceptor.Level) {
                logger.log(level: level.type, "\(line, privacy: .public)")
            }
        }
    }

    extension LoggingInterceptor.Sink where Self == LoggingInterceptor.SystemSink {
        /// Writes to the system's log.
        /// - Parameters:
        ///   - subsystem: The subsystem of each line, such as the identifier of the app.
        ///   - category: The category of each line within the subsystem.
        /// - Returns: The sink.
        public static func system(subsystem: String, category: String = "network") -> Self {
            Self(subsystem: subsystem, category: category)
        }
    }

    extension LoggingInterceptor.Level {
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
