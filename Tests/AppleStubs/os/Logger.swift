// swift-format-ignore-file
// The part of Apple's unified logging that the package uses. Tests record the lines with ``OSLogStub``.

// https://developer.apple.com/documentation/os/oslogtype
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)
}

// https://developer.apple.com/documentation/os/oslogprivacy
public struct OSLogPrivacy: Equatable, Sendable {
    let isPublic: Bool
    public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
    public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
}

// https://developer.apple.com/documentation/os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
    public init(stringLiteral value: String) { text = value }
}

// https://developer.apple.com/documentation/os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.isPublic ? argumentString() : "<private>"
    }
}

// https://developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }
    public func log(level: OSLogType, _ message: OSLogMessage) {
        OSLogStub.record?(OSLogStub.Entry(subsystem: subsystem, category: category, type: level, text: message.text))
    }
}

// stub only: records the lines of a test
public enum OSLogStub {
    public struct Entry: Equatable, Sendable {
        public let subsystem: String
        public let category: String
        public let type: OSLogType
        public let text: String
        public init(subsystem: String, category: String, type: OSLogType, text: String) {
            self.subsystem = subsystem
            self.category = category
            self.type = type
            self.text = text
        }
    }
    @TaskLocal public static var record: (@Sendable (Entry) -> Void)?
}
