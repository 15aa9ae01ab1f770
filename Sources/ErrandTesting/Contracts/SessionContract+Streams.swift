import Errand

/// The promises for requests with streamed ``RequestOptions/Delivery``.
///
/// A body with a single reader is not a promise of a session, because ``/Errand/ResponseBody`` enforces it.
extension SessionContract.Promise {
    private static let start = Data("0123".utf8)

    /// Sends the start of a body and then stays silent.
    @Sendable private static func stalling(_ request: APIRequest) -> CannedReply {
        .text("0123456789").stallingBody(after: start.count)
    }

    static let streamArrives = Self("a streamed body arrives while it is sent", peer: stalling) { trial in
        let head = try await trial.bounded {
            var stream = try await trial.stream("/arrives")
            try await stream.readStart(start.count)
            try trial.expect(
                stream.received == start,
                "expected the first \(start.count) bytes, found \(stream.received.count) different bytes")
            return stream.head
        }
        try trial.expect(head.status == 200, "expected status 200, found \(head.status)")
    }

    static let cutStream = Self("a truncated streamed body delivers its bytes, then an error") { _ in
        .text("0123456789").truncatingBody(after: start.count)
    } check: { trial in
        let (received, error) = try await trial.reading(of: "/cut")
        try trial.expect(error != nil, "expected an error after \(received.count) bytes, found the end of the body")
        try trial.expect(received == start, "expected 4 unchanged bytes before the error, found \(received.count)")
    }

    private static let megabyte = Data(repeating: 0x61, count: 1 << 20)

    static let uncappedStream = Self("streamed bodies ignore the limit of buffered bodies") { _ in
        .chunks(Array(repeating: megabyte, count: 65))
    } check: { trial in
        let count = try await trial.bounded {
            // Without back-pressure, the whole body can be unread when the reader is scheduled late.
            var stream = try await trial.stream("/large") { $0[UnreadLimit.self] = 128 << 20 }
            return try await stream.countRest()
        }
        try trial.expect(count == 65 << 20, "expected \(65 << 20) bytes, found \(count)")
    }

    static let streamDeadline = Self("reading a streamed body ends by the request's deadline", peer: stalling) {
        trial in
        try await endsInTime(trial) { $0.deadline = .after(.milliseconds(500)) }
    }

    static let streamIdleTimeout = Self("reading a streamed body ends by the idle timeout", peer: stalling) { trial in
        try await endsInTime(trial) { $0.idleTimeout = .milliseconds(100) }
    }

    @Sendable private static func endsInTime(
        _ trial: SessionContract.Trial, _ configure: @escaping @Sendable (inout RequestOptions) -> Void
    ) async throws {
        try await trial.expectTimeout {
            let (received, error) = try await trial.reading(of: "/time", configure)
            guard let error else {
                throw SessionContract.Broken("expected timeout, found the end after \(received.count) bytes")
            }
            return error
        }
    }

    static let streamCancellation = Self(
        "reading a streamed body ends when its task is cancelled", peer: stalling
    ) { trial in
        let (beginnings, begun) = AsyncStream<Void>.makeStream()
        let reader = Task {
            var stream = try await trial.stream("/cancelled")
            try await stream.readStart(start.count)
            begun.yield()
            _ = try await stream.countRest()
        }
        try await trial.bounded { for await _ in beginnings.prefix(1) {} }
        reader.cancel()
        let ending = try await trial.bounded { await reader.result }
        guard case .failure(let error) = ending else {
            throw SessionContract.Broken("expected cancelled, found the end")
        }
        try trial.expect(trial.code(of: error) == .cancelled, "expected cancelled, found \(trial.code(of: error))")
    }

    /// Applies only to sessions with connections, because a test double has no transfer that could continue.
    static let leaving = Self("discarding a streamed body ends its transfer", peer: stalling) { trial in
        guard let connections = trial.connections else { return }
        for isRead in [false, true] {
            try await trial.bounded {
                let response = try await trial.response("/left")
                guard isRead else { return }
                for try await _ in response.body { break }
            }
            try await trial.wait(orElse: "expected the connection to close") { connections() == 0 }
        }
    }
}

extension SessionContract.Trial {
    /// A streamed response, and the bytes that were read from it.
    struct Stream {
        let head: ResponseHead
        private(set) var received = Data()
        private var chunks: ResponseBody.AsyncIterator

        fileprivate init(_ response: APIResponse) {
            head = response.head
            chunks = response.body.makeAsyncIterator()
        }

        /// Reads until `count` bytes have been received.
        mutating func readStart(_ count: Int) async throws {
            while received.count < count, let chunk = try await chunks.next() { received.append(chunk) }
        }

        /// Reads to the end, and returns the number of bytes.
        mutating func countRest() async throws -> Int {
            var count = 0
            while let chunk = try await chunks.next() { count += chunk.count }
            return count
        }
    }

    /// Sends a request with streamed delivery.
    func response(
        _ path: String, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> APIResponse {
        let request = request(path) { options in
            options.delivery = .streamed
            configure(&options)
        }
        return try await session.send(request)
    }

    /// Sends a request with streamed delivery, and returns a reader of its body.
    func stream(
        _ path: String, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> Stream {
        Stream(try await response(path, configure))
    }

    /// Returns the received bytes of a streamed response, and the error that it ended with.
    func reading(
        of path: String, _ configure: @escaping @Sendable (inout RequestOptions) -> Void = { _ in }
    ) async throws -> (Data, (any Error)?) {
        try await bounded {
            // A slow session may fail before the header section. This counts as an end without bytes.
            var received = Data()
            do {
                let response = try await response(path, configure)
                for try await chunk in response.body { received.append(chunk) }
                return (received, nil)
            } catch {
                return (received, error)
            }
        }
    }
}
