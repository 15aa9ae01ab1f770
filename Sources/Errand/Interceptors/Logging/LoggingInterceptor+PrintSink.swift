extension LoggingInterceptor {
    /// A log sink that prints lines to standard output, or passes them to a closure.
    ///
    /// ```swift
    /// let session = PlatformSession.platform.intercepted(by: LoggingInterceptor(.print))
    /// // info: #1 GET https://api.gallery.example/photos?page=2
    /// // info: #1 200 OK in 31.4 ms, 5120 bytes: GET https://api.gallery.example/photos?page=2
    /// ```
    public struct PrintSink: LoggingInterceptor.Sink {
        private let lowest: LoggingInterceptor.Level
        private let write: @Sendable (String) -> Void

        /// Creates a log sink.
        /// - Parameters:
        ///   - lowest: The lowest level that is printed. The default is ``LoggingInterceptor/Level/trace``.
        ///   - write: Receives each line. The default is `print`. It may be called from several threads at once.
        public init(
            from lowest: LoggingInterceptor.Level = .trace,
            write: @escaping @Sendable (String) -> Void = { Swift.print($0) }
        ) {
            self.lowest = lowest
            self.write = write
        }

        /// Prints the level and the line.
        public func log(_ line: String, at level: LoggingInterceptor.Level) {
            guard accepts(level) else { return }
            write("\(level.rawValue): \(line)")
        }

        /// Returns whether a level is not below the lowest printed level.
        public func accepts(_ level: LoggingInterceptor.Level) -> Bool { level >= lowest }
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
