/// An incremental request parser: a value type with bounded memory that accepts bytes in fragments of any size.
package struct RequestParser {
    package enum Event {
        /// The parser needs more bytes to produce an event.
        case needsMoreBytes
        /// The client waits for an interim response before it sends the body.
        case expectsContinue
        case request(RequestMessage)
        /// The request is malformed or unsupported. No further events follow.
        case rejected(Rejection)
    }

    private enum State {
        case head(BlockScanner)
        case fixedBody(RequestHead, remaining: Int)
        case chunkedBody(RequestHead, ChunkedDecoder)
        case failed
    }

    private let headerLimit: Int
    private let bodyLimit: Int
    private let keepsBodies: Bool
    private var input = ByteQueue()
    private var state = State.head(BlockScanner())
    private var body: BodyCollector

    /// Creates a parser. The limits are in bytes.
    package init(headerLimit: Int, bodyLimit: Int, keepsBodies: Bool) {
        (self.headerLimit, self.bodyLimit, self.keepsBodies) = (headerLimit, bodyLimit, keepsBodies)
        body = BodyCollector(limit: bodyLimit, keepsBytes: keepsBodies)
    }

    /// The number of bytes that no event has consumed.
    package var bufferedByteCount: Int { input.count }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if case .failed = state { return }
        input.append(bytes)
    }

    /// Returns the next event. Call it until it returns ``Event/needsMoreBytes``.
    package mutating func next() -> Event {
        do throws(Rejection) {
            while true {
                if let event = try step() { return event }
            }
        } catch {
            state = .failed
            input.removeAll()
            return .rejected(error)
        }
    }

    /// Advances by one state. Returns `nil` if the step produces no event.
    private mutating func step() throws(Rejection) -> Event? {
        switch state {
        case .head(let scanner):
            return try readHead(scanner)
        case .fixedBody(let head, let remaining):
            let rest = remaining - body.take(remaining, from: &input)
            guard rest == 0 else {
                state = .fixedBody(head, remaining: rest)
                return .needsMoreBytes
            }
            return complete(head, trailers: [])
        case .chunkedBody(let head, var decoder):
            let isComplete = try decoder.decode(&input, into: &body)
            guard isComplete else {
                state = .chunkedBody(head, decoder)
                return .needsMoreBytes
            }
            return complete(head, trailers: decoder.trailers)
        case .failed:
            return .needsMoreBytes
        }
    }

    private mutating func readHead(_ scanner: BlockScanner) throws(Rejection) -> Event? {
        var scanner = scanner
        let found = input.withUnsafeBytes { bytes in
            Result { () throws(Rejection) in try scanner.end(in: bytes).map { Array(bytes[..<($0 - 2)]) } }
        }
        guard let block = try found.get() else {
            guard input.count <= headerLimit else { throw .headTooLarge }
            state = .head(scanner)
            return .needsMoreBytes
        }
        guard block.count <= headerLimit else { throw .headTooLarge }
        input.drop(block.count + 2)
        guard !block.isEmpty else {  // skip an empty line before a request (RFC 9112, section 2.2)
            state = .head(BlockScanner())
            return nil
        }
        return try startBody(of: try HeadParser.parse(block))
    }

    private mutating func startBody(of head: RequestHead) throws(Rejection) -> Event? {
        switch head.framing {
        case .none:
            return complete(head, trailers: [])
        case .fixed(let length):
            guard length <= bodyLimit else { throw .bodyTooLarge }
            state = .fixedBody(head, remaining: length)
        case .chunked:
            state = .chunkedBody(head, ChunkedDecoder(trailerLimit: headerLimit))
        }
        return head.expectsContinue && input.isEmpty ? .expectsContinue : nil
    }

    private mutating func complete(_ head: RequestHead, trailers: [LoopbackHeader]) -> Event {
        defer {
            state = .head(BlockScanner())
            body = BodyCollector(limit: bodyLimit, keepsBytes: keepsBodies)
        }
        return .request(
            RequestMessage(head: head, body: body.data, bodyByteCount: body.count, trailers: trailers))
    }
}
