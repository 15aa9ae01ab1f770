import Foundation

/// Parses replies of a Valkey or Redis server that arrive in pieces. Each byte is read once.
package struct RESPParser: Sendable {
    /// The limits of one reply.
    package struct Limits: Sendable, Hashable {
        /// The maximum size of a reply in bytes: 64 MB.
        package var bytes = 64 << 20
        /// The maximum number of values in a reply: 1,000,000.
        package var values = 1_000_000
        /// The maximum depth of nested arrays: 16.
        package var depth = 16
        /// The maximum length of a line in bytes: 64 kB.
        package var line = 65_536

        package init() {}
    }

    /// An array, a map, or another aggregate that is incomplete.
    private struct Frame: Sendable {
        let kind: UInt8
        var missing: Int
        var values: [RESPValue] = []
    }

    private enum State: Sendable, Hashable {
        case line
        /// The bytes of a string with a known length, and its line end.
        case bulk(count: Int, kind: UInt8)
    }

    private let limits: Limits
    private var buffer: [UInt8] = []
    /// The position of the next unread byte in the buffer.
    private var position = 0
    /// The position up to which no line end was found.
    private var searched = 0
    private var state = State.line
    private var frames: [Frame] = []
    /// The size and the number of values of the reply so far.
    private var size = 0
    private var count = 0

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether an incomplete reply has arrived.
    package var isInReply: Bool { position < buffer.count || !frames.isEmpty || state != .line }

    /// Adds bytes.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if position > 65_536, position * 2 > buffer.count {
            buffer.removeFirst(position)
            searched -= position
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete reply, or `nil` if more bytes are needed.
    /// - Throws: ``RESPFailure``. The parser must not be used after that.
    package mutating func next() throws(RESPFailure) -> RESPValue? {
        while let value = try nextValue() {
            guard let reply = try close(value) else { continue }
            (size, count) = (0, 0)
            if position == buffer.count {
                buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
                (position, searched) = (0, 0)
            }
            return reply
        }
        return nil
    }
}

extension RESPParser {
    /// Returns the next value that is not an aggregate, or an empty aggregate.
    private mutating func nextValue() throws(RESPFailure) -> RESPValue? {
        while true {
            switch state {
            case .bulk(let length, let kind):
                guard let bytes = try bulk(length) else { return nil }
                state = .line
                return try text(bytes, kind)
            case .line:
                guard let line = try line() else { return nil }
                if let value = try begin(line) { return value }
            }
        }
    }

    /// Returns a line without its end. A line ends with CR LF.
    private mutating func line() throws(RESPFailure) -> ArraySlice<UInt8>? {
        guard let end = buffer[max(searched, position)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            guard buffer.count - position <= limits.line else { throw RESPFailure("a line of the reply is too long") }
            return nil
        }
        let line = buffer[position..<end]
        guard line.count > 1, line.last == UInt8(ascii: "\r"), line.count <= limits.line else {
            throw RESPFailure("a line of the reply is malformed")
        }
        try add(end + 1 - position)
        position = end + 1
        searched = position
        return line.dropLast()
    }

    /// Returns the bytes of a string when all of them and the line end have arrived.
    private mutating func bulk(_ length: Int) throws(RESPFailure) -> Data? {
        guard buffer.count - position >= length + 2 else { return nil }
        let end = position + length
        guard buffer[end] == UInt8(ascii: "\r"), buffer[end + 1] == UInt8(ascii: "\n") else {
            throw RESPFailure("a string of the reply has another length")
        }
        let bytes = Data(buffer[position..<end])
        position = end + 2
        searched = position
        return bytes
    }

    private mutating func add(_ bytes: Int) throws(RESPFailure) {
        size += bytes
        guard size <= limits.bytes else { throw RESPFailure("the reply is larger than \(limits.bytes) bytes") }
    }

    /// Parses a line. Returns `nil` if it only announces a string or an aggregate.
    private mutating func begin(_ line: ArraySlice<UInt8>) throws(RESPFailure) -> RESPValue? {
        count += 1
        guard count <= limits.values else { throw RESPFailure("the reply has more than \(limits.values) values") }
        guard let kind = line.first else { throw RESPFailure("a line of the reply is malformed") }
        let rest = line.dropFirst()
        switch kind {
        case UInt8(ascii: "+"): return .text(Data(rest))
        case UInt8(ascii: "-"): return .error(String(decoding: rest.prefix(512), as: UTF8.self))
        case UInt8(ascii: ":"): return .integer(try integer(rest))
        case UInt8(ascii: ","): return .double(try double(rest))
        case UInt8(ascii: "#"):
            guard rest.elementsEqual("t".utf8) || rest.elementsEqual("f".utf8) else {
                throw RESPFailure("a boolean of the reply is malformed")
            }
            return .boolean(rest.first == UInt8(ascii: "t"))
        case UInt8(ascii: "_"):
            guard rest.isEmpty else { throw RESPFailure("a null of the reply is malformed") }
            return .null
        case UInt8(ascii: "("): return .text(Data(rest))
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="): return try beginString(kind, rest)
        case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ">"), UInt8(ascii: "|"):
            return try beginAggregate(kind, rest)
        default: throw RESPFailure("the reply has an unknown type")
        }
    }

    private mutating func beginString(_ kind: UInt8, _ rest: ArraySlice<UInt8>) throws(RESPFailure) -> RESPValue? {
        let length = try integer(rest)
        if length == -1, kind == UInt8(ascii: "$") { return .null }
        guard length >= 0, length <= limits.bytes else {
            throw RESPFailure("a string of the reply has an invalid length")
        }
        try add(Int(length) + 2)
        state = .bulk(count: Int(length), kind: kind)
        return nil
    }

    private mutating func beginAggregate(_ kind: UInt8, _ rest: ArraySlice<UInt8>) throws(RESPFailure) -> RESPValue? {
        let length = try integer(rest)
        if length == -1, kind == UInt8(ascii: "*") { return .null }
        guard length >= 0, length <= limits.values else {
            throw RESPFailure("an array of the reply has an invalid length")
        }
        let isMap = kind == UInt8(ascii: "%") || kind == UInt8(ascii: "|")
        guard frames.count < limits.depth else { throw RESPFailure("the reply is nested too deeply") }
        frames.append(Frame(kind: kind, missing: Int(length) * (isMap ? 2 : 1)))
        return length == 0 ? try endFrame() : nil
    }

    /// Adds a value to the innermost aggregate. Returns the value if it is the whole reply.
    private mutating func close(_ value: RESPValue) throws(RESPFailure) -> RESPValue? {
        var value = value
        while !frames.isEmpty {
            let last = frames.count - 1
            frames[last].values.append(value)
            frames[last].missing -= 1
            guard frames[last].missing == 0 else { return nil }
            guard let ended = try endFrame() else { return nil }
            value = ended
        }
        return value
    }

    /// Ends the innermost aggregate. Returns `nil` for attributes, which precede a value and are ignored.
    private mutating func endFrame() throws(RESPFailure) -> RESPValue? {
        guard let frame = frames.popLast() else { return nil }
        switch frame.kind {
        case UInt8(ascii: "%"): return .map(frame.values)
        case UInt8(ascii: "|"): return nil
        case UInt8(ascii: ">"):
            guard frames.isEmpty else { throw RESPFailure("the reply contains a message within a value") }
            return .push(frame.values)
        default: return .array(frame.values)
        }
    }

    private func text(_ bytes: Data, _ kind: UInt8) throws(RESPFailure) -> RESPValue {
        switch kind {
        case UInt8(ascii: "!"): return .error(String(decoding: bytes.prefix(512), as: UTF8.self))
        case UInt8(ascii: "="):
            // Three bytes name the format, and a colon follows.
            guard bytes.count >= 4 else { throw RESPFailure("a string of the reply has no format") }
            return .text(Data(bytes.dropFirst(4)))
        default: return .text(bytes)
        }
    }

    private func integer(_ text: ArraySlice<UInt8>) throws(RESPFailure) -> Int64 {
        guard text.count <= 20, let number = Int64(String(decoding: text, as: UTF8.self)) else {
            throw RESPFailure("a number of the reply is malformed")
        }
        return number
    }

    private func double(_ text: ArraySlice<UInt8>) throws(RESPFailure) -> Double {
        guard text.count <= 64, let number = Double(String(decoding: text, as: UTF8.self)) else {
            throw RESPFailure("a number of the reply is malformed")
        }
        return number
    }
}
