import Errand
import Logging

/// Sends the lines of a `LoggingInterceptor` to swift-log.
struct SwiftLogSink: LoggingInterceptor.Sink {
    let logger: Logger

    func log(_ line: String, at level: LoggingInterceptor.Level) {
        logger.log(level: Logger.Level(rawValue: level.rawValue) ?? .info, "\(line)")
    }

    func accepts(_ level: LoggingInterceptor.Level) -> Bool {
        Logger.Level(rawValue: level.rawValue).map { logger.logLevel <= $0 } ?? true
    }
}

func logged(_ session: some APISession, to logger: Logger) -> any APISession {
    session.intercepted(by: LoggingInterceptor(SwiftLogSink(logger: logger)))
}
