extension LoggingInterceptor {
    /// Log lines on standard output, or wherever a closure puts them.
    ///
    /// ```swift
    /// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(.print))
    /// // info: #1 GET https://api.gallery.example/photos?page=2
    /// // info: #1 200 OK in 31.4 ms, 5120 bytes: GET https://api.gallery.example/photos?page=2
    /// ```
    public struct PrintSink: LoggingInterceptor.Sink {
        private let lowest: LoggingInterceptor.Level
        private let write: @Sendable (String) -> Void

        /// Makes a log.
        /// - Parameters:
        ///   - lowest: The least level that is printed; all by default.
        ///   - write: Puts a line somewhere; `print` by default. It may be called from several threads at once.
        public init(
            from lowest: LoggingInterceptor.Level = .trace,
            write: @escaping @Sendable (String) -> Void = { Swift.print($0) }
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
}

extension LoggingInterceptor.Sink where Self == LoggingInterceptor.PrintSink {
    /// Prints all lines to standard output.
    public static var print: Self { Self() }

    /// Prints lines to standard output, or passes them to a closure.
    /// - Parameters:
    ///   - lowest: The lowest level that is printed.
    ///   - write: Receives a line. It may be called from several threads at once.
    /// - Returns: The sink.
    public static func print(
        from lowest: LoggingInterceptor.Level, write: @escaping @Sendable (String) -> Void = { Swift.print($0) }
    ) -> Self {
        Self(from: lowest, write: write)
    }
}
