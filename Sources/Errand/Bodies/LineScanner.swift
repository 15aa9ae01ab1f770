/// A pure value that finds the lines in chunks of bytes. Each byte is examined a fixed number of times, whatever the
/// sizes of the chunks and of the lines are.
package struct LineScanner: Sendable {
    /// The line endings that a scanner recognizes.
    package enum Ending: Sendable, Equatable {
        /// One byte. For LF, a preceding CR is part of the line.
        case byte(UInt8)
        /// CR, LF or CRLF.
        case any
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// The capacity that is kept for the next line: 64 kB.
    private static let keptCapacity = 65_536
    /// The maximum size of a window: 64 kB.
    private static let windowSize = 65_536

    private let ending: Ending
    /// The byte that ends a line.
    private let terminator: UInt8
    /// The bytes of the chunk after the window.
    private var chunk = Data()
    /// A copy of the part of the chunk that is scanned. Each access to a `Data` has exclusivity checks at run time, which
    /// take longer than the rest of the work for a short line.
    private var window: [UInt8] = []
    /// The offset of the next line in the window.
    private var start = 0
    /// The offsets of the next terminator and of the next carriage return in the window, or `Int.max` if there is none.
    /// An offset before ``start`` is outdated.
    private var nextTerminator = -1
    private var nextCarriageReturn = -1
    /// The start of a line that is not complete.
    private var open: [UInt8] = []
    /// Whether the last line ended with a carriage return, so that a line feed after it belongs to the same ending.
    private var skipsLineFeed = false

    package init(_ ending: Ending) {
        self.ending = ending
        terminator = if case .byte(let byte) = ending { byte } else { Self.lineFeed }
    }

    /// The number of bytes of the line that is not complete.
    package var openCount: Int { open.count }

    /// Whether the line that is not complete ends with a carriage return.
    package var endsWithCarriageReturn: Bool { open.last == Self.carriageReturn }

    /// Adds a chunk. Call it after ``next(_:)`` has returned `nil`.
    package mutating func add(_ bytes: Data) {
        chunk = bytes
        _ = fillWindow()
    }

    /// Passes the next complete line, without its ending, to a closure. Returns `nil` if another chunk is needed.
    package mutating func next<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result? {
        repeat {
            skipLineFeed()
            if let end = endOfLine() { return pass(end, to: use) }
            append(start..<window.count)
        } while fillWindow()
        return nil
    }

    /// Passes the line that ends at an offset.
    private mutating func pass<Result>(_ end: Int, to use: (UnsafeRawBufferPointer) -> Result) -> Result {
        let line = start..<end
        skipsLineFeed = ending == .any && end == nextCarriageReturn
        start = end + 1
        guard !open.isEmpty else {
            return window.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[line])) }
        }
        append(line)
        defer { open.removeAll(keepingCapacity: open.count <= Self.keptCapacity) }
        return open.withUnsafeBytes(use)
    }

    /// Removes and returns the bytes of the line that is not complete. Call it at the end of the input.
    package mutating func takeRest() -> [UInt8] {
        defer { open = [] }
        return open
    }

    private mutating func skipLineFeed() {
        guard skipsLineFeed, start < window.count else { return }
        skipsLineFeed = false
        if window[start] == Self.lineFeed { start += 1 }
    }

    private mutating func endOfLine() -> Int? {
        if nextTerminator < start { nextTerminator = offset(of: terminator) }
        guard ending == .any else { return nextTerminator == .max ? nil : nextTerminator }
        if nextCarriageReturn < start { nextCarriageReturn = offset(of: Self.carriageReturn) }
        let end = min(nextTerminator, nextCarriageReturn)
        return end == .max ? nil : end
    }

    private func offset(of byte: UInt8) -> Int {
        window.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress else { return .max }
            guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return .max }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Replaces the window by the next bytes of the chunk. Returns `false` if there are none. The window is then empty.
    private mutating func fillWindow() -> Bool {
        window.removeAll(keepingCapacity: true)
        window.append(contentsOf: chunk.prefix(Self.windowSize))
        chunk = chunk.dropFirst(Self.windowSize)
        (start, nextTerminator, nextCarriageReturn) = (0, -1, -1)
        return !window.isEmpty
    }

    private mutating func append(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        window.withUnsafeBytes { open.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
