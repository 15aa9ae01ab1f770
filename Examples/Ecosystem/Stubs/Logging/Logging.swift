// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-log 1.14.0: https://github.com/apple/swift-log/tree/1.14.0/Sources/Logging
// (Logger.swift, LogHandler.swift, LogEvent.swift). Only the declarations that the recipes and their tests use.

public struct Logger: Sendable {
    public enum Level: String, Codable, CaseIterable, Comparable, Sendable {
        case trace, debug, info, notice, warning, error, critical

        public static func < (lhs: Level, rhs: Level) -> Bool { lhs.order < rhs.order }

        private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    public struct Message: ExpressibleByStringLiteral, Equatable, CustomStringConvertible,
        ExpressibleByStringInterpolation, Sendable
    {
        public let description: String

        public init(stringLiteral value: String) {
            description = value
        }
    }

    public enum MetadataValue: Sendable, Equatable {
        case string(String)
    }

    public typealias Metadata = [String: MetadataValue]

    public var handler: any LogHandler

    public init(label: String, factory: (String) -> any LogHandler) {
        handler = factory(label)
    }

    public var logLevel: Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    public func log(
        level: Logger.Level, _ message: @autoclosure () -> Logger.Message,
        metadata: @autoclosure () -> Logger.Metadata? = nil, source: @autoclosure () -> String? = nil,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        if logLevel <= level { handler.log(event: LogEvent(level: level, message: message(), metadata: metadata())) }
    }
}

public struct LogEvent: Sendable {
    public var level: Logger.Level
    public var message: Logger.Message
    public var metadata: Logger.Metadata?
}

public protocol LogHandler: Sendable {
    func log(event: LogEvent)
    subscript(metadataKey _: String) -> Logger.MetadataValue? { get set }
    var metadata: Logger.Metadata { get set }
    var logLevel: Logger.Level { get set }
}
