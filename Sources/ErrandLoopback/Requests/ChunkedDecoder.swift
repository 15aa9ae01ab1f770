/// An incremental decoder of the chunked transfer coding (RFC 9112, section 7.1).
struct ChunkedDecoder {
    private enum State {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers(BlockScanner)
    }

    /// The maximum length of a chunk's size line with its extensions, in bytes.
    private static let longestSizeLine = 4096

    private let trailerLimit: Int
    private var state = State.size
    private(set) var trailers: [LoopbackHeader] = []

    init(trailerLimit: Int) {
        self.trailerLimit = trailerLimit
    }

    /// Decodes the available bytes. Returns whether the body is complete.
    mutating func decode(_ input: inout ByteQueue, into body: inout BodyCollector) throws(Rejection) -> Bool {
        while true {
            switch state {
            case .size:
                guard let size = try Self.takeSize(from: &input) else { return false }
                guard size <= body.room else { throw .bodyTooLarge }
                state = size > 0 ? .data(remaining: size) : .trailers(BlockScanner())
            case .data(let remaining):
                let taken = body.take(remaining, from: &input)
                guard taken == remaining else {
                    state = .data(remaining: remaining - taken)
                    return false
                }
                state = .dataEnd
            case .dataEnd:
                guard try Self.takeLineEnd(from: &input) else { return false }
                state = .size
            case .trailers(let scanner):
                return try takeTrailers(from: &input, scanner)
            }
        }
    }

    private mutating func takeTrailers(
        from input: inout ByteQueue, _ scanner: BlockScanner
    ) throws(Rejection) -> Bool {
        var scanner = scanner
        let found = input.withUnsafeBytes { bytes in
            Result { () throws(Rejection) in try scanner.end(in: bytes).map { Array(bytes[..<($0 - 2)]) } }
        }
        guard let block = try found.get() else {
            guard input.count <= trailerLimit else { throw .headTooLarge }
            state = .trailers(scanner)
            return false
        }
        guard block.count <= trailerLimit else { throw .headTooLarge }
        input.drop(block.count + 2)
        trailers = HeaderBlock(bytes: block, spans: try HeaderLines.parse(block, from: 0)).all
        return true
    }

    private static func takeSize(from input: inout ByteQueue) throws(Rejection) -> Int? {
        let line: [UInt8]? = input.withUnsafeBytes { bytes in
            bytes.prefix(longestSizeLine).firstIndex(of: .lineFeed).map { Array(bytes[..<$0]) }
        }
        guard let line else {
            guard input.count < longestSizeLine else { throw .badRequest }
            return nil
        }
        input.drop(line.count + 1)
        guard line.last == .carriageReturn else { throw .badRequest }
        return try size(line.dropLast())
    }

    /// Parses `1A`, or `1A;name=value` with an extension that is ignored.
    private static func size(_ line: ArraySlice<UInt8>) throws(Rejection) -> Int {
        let digits = line.prefix { $0.hexDigitValue != nil }
        let rest = line[digits.endIndex...].drop(while: \.isBlank)
        guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";"),
            rest.allSatisfy(\.isHeaderValueCharacter)
        else { throw .badRequest }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count < 16 else { throw .bodyTooLarge }
        return significant.reduce(0) { $0 << 4 | ($1.hexDigitValue ?? 0) }
    }

    private static func takeLineEnd(from input: inout ByteQueue) throws(Rejection) -> Bool {
        let start = input.withUnsafeBytes { Array($0.prefix(2)) }
        guard start.first ?? .carriageReturn == .carriageReturn else { throw .badRequest }
        guard start.count == 2 else { return false }
        guard start[1] == .lineFeed else { throw .badRequest }
        input.drop(2)
        return true
    }
}
