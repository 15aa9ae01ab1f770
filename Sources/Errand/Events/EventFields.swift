/// The fields of the event that is being parsed (HTML, section 9.2.6).
struct EventFields: Sendable {
    /// The result of a line.
    enum Step {
        /// The line is part of an event, or is ignored.
        case incomplete
        case output(EventParser.Output)
        /// The event exceeds the limit.
        case tooLarge
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The capacity that is kept for the data of the next event: 64 kB.
    private static let keptCapacity = 65_536

    private let limit: Int
    /// Whether an event with a type and without data has an output.
    private let includesEmpty: Bool
    /// The last event ID, as of the last complete event.
    private(set) var lastEventID: String
    /// The ID for the next complete event.
    private var id: String
    private var type = ""
    /// The data lines, each with a line feed.
    private var data: [UInt8] = []
    /// The number of bytes of ``type`` and ``id`` that this event has set.
    private var nameCount = 0
    private var isFirstLine = true

    init(lastEventID: String, limit: Int, includesEmpty: Bool) {
        (self.lastEventID, id) = (lastEventID, lastEventID)
        (self.limit, self.includesEmpty) = (limit, includesEmpty)
    }

    /// The number of bytes of the event so far.
    var count: Int { data.count + nameCount }

    /// Parses a line without its ending.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Step {
        var line = bytes[...]
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: Self.byteOrderMark) { line = line.dropFirst(Self.byteOrderMark.count) }
        }
        guard !line.isEmpty else { return dispatch() }
        guard line.count <= limit - count else { return .tooLarge }
        guard let colon = Self.colon(in: line) else {
            set(line, to: line.suffix(0))
            return .incomplete
        }
        guard colon > line.startIndex else { return .output(.comment(Self.text(line.dropFirst()))) }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let name = line[..<colon]
        if Self.isEqual(name, "retry") {
            return Self.duration(value).map { .output(.retry($0)) } ?? .incomplete
        }
        set(name, to: value)
        return .incomplete
    }

    private mutating func set(_ name: Slice<UnsafeRawBufferPointer>, to value: Slice<UnsafeRawBufferPointer>) {
        if Self.isEqual(name, "data") {
            data.append(contentsOf: UnsafeRawBufferPointer(rebasing: value))
            data.append(UInt8(ascii: "\n"))
        } else if Self.isEqual(name, "event") {
            type = Self.text(value)
            nameCount += value.count
        } else if Self.isEqual(name, "id"), !value.contains(0) {
            id = Self.text(value)
            nameCount += value.count
        }
    }

    /// Ends the event. It has no output if it has no data, unless events without data are included.
    private mutating func dispatch() -> Step {
        lastEventID = id
        defer {
            (type, nameCount) = ("", 0)
            data.removeAll(keepingCapacity: data.count <= Self.keptCapacity)
        }
        guard !data.isEmpty || includesEmpty && !type.isEmpty else { return .incomplete }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        return .output(.event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: text, id: id)))
    }

    private static func colon(in line: Slice<UnsafeRawBufferPointer>) -> Int? {
        let bytes = UnsafeRawBufferPointer(rebasing: line)
        guard let base = bytes.baseAddress, let found = memchr(base, Int32(UInt8(ascii: ":")), bytes.count) else {
            return nil
        }
        return line.startIndex + (UnsafeRawPointer(found) - base)
    }

    private static func isEqual(_ name: Slice<UnsafeRawBufferPointer>, _ other: StaticString) -> Bool {
        guard name.count == other.utf8CodeUnitCount, let base = UnsafeRawBufferPointer(rebasing: name).baseAddress
        else {
            return false
        }
        return memcmp(base, other.utf8Start, name.count) == 0
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a number of milliseconds, or `nil` for a value with other characters than digits. A number that exceeds
    /// 63 bits is limited.
    private static func duration(_ value: Slice<UnsafeRawBufferPointer>) -> Duration? {
        guard !value.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in value {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tenfold.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            number = isTooLarge || isLarger ? .max : sum
        }
        return .milliseconds(number)
    }
}
