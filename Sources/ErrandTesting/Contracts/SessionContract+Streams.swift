import Errand

/// What holds where a call's ``RequestOptions/Delivery`` is streamed.
///
/// That a body has one reader is no promise of a session's: ``/Errand/ResponseBody`` sees to it.
extension SessionContract.Promise {
    private static let start = Data("0123".utf8)

    /// The start of a body, whose rest never comes.
    @Sendable private static func stalling(_ request: APIRequest) -> CannedReply {
        .text("0123456789").stallingBody(after: start.count)
    }

    static let streamArrives = Self("a streamed body arrives while it is sent", peer: stalling) { trial in
        let head = try await trial.bounded {
            var stream = try await trial.stream("/arrives")
            try await stream.readStart(start.count)
            try trial.expect(stream.received == start, "its first bytes are \(stream.received.count) others")
            return stream.head
        }
        try trial.expect(head.status == 200, "its status arrived as \(head.status)")
    }

    static let cutStream = Self("a streamed body that was cut off is an error, after its bytes") { _ in
        .text("0123456789").cuttingBody(after: start.count)
    } check: { trial in
        let (received, error) = try await trial.reading(of: "/cut")
        try trial.expect(error != nil, "it ended after \(received.count) bytes as if it were whole")
        try trial.expect(received == start, "of 4 bytes before the cut \(received.count) arrived, or others")
    }

    private static let megabyte = Data(repeating: 0x61, count: 1 << 20)

    static let uncappedStream = Self("the cap on a buffered body is none of a streamed one") { _ in
        // In steps: where nothing can make a server wait, a reader that has to wait for its turn would be flooded.
        .chunks(Array(repeating: megabyte, count: 65)).pausing(.milliseconds(5))
    } check: { trial in
        let count = try await trial.bounded {
            var stream = try await trial.stream("/large")
            return try await stream.countRest()
        }
        try trial.expect(count == 65 << 20, "of 65 MB \(count) bytes arrived")
    }

    static let streamDeadline = Self("reading a streamed body ends by the call's deadline", peer: stalling) { trial in
        try await endsInTime(trial) { $0.deadline = .after(.milliseconds(500)) }
    }

    static let streamIdleTimeout = Self("reading a streamed body ends by the idle time-out", peer: stalling) { trial in
        try await endsInTime(trial) { $0.idleTimeout = .milliseconds(100) }
    }

    @Sendable private static func endsInTime(
        _ trial: SessionContract.Trial, _ configure: @escaping @Sendable (inout RequestOptions) -> Void
    ) async throws {
        let clock = SystemTime.system
        let begin = clock.now
        let (received, error) = try await trial.reading(of: "/time", configure)
        guard let error else { throw SessionContract.Broken("it ended after \(received.count) bytes without an error") }
        try trial.expect(trial.code(of: error) == .timeout, "it ended as \(trial.code(of: error))")
        let elapsed = clock.now - begin
        try trial.expect(elapsed < trial.promptness, "it ended only after \(elapsed)")
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
        guard case .failure(let error) = ending else { throw SessionContract.Broken("it ended as if it were whole") }
        try trial.expect(trial.code(of: error) == .cancelled, "it ended as \(trial.code(of: error))")
    }

    /// A double has no transfer that could go on.
    static let leaving = Self("leaving a streamed body ends its transfer", peer: stalling) { trial in
        guard let connections = trial.connections else { return }
        for isRead in [false, true] {
            try await trial.bounded {
                let response = try await trial.response("/left")
                guard isRead else { return }
                for try await _ in response.body { break }
            }
            try await trial.wait(orElse: "its connection stayed open") { connections() == 0 }
        }
    }
}

extension SessionContract.Trial {
    /// A streamed answer, and what has been read of it.
    struct Stream {
        let head: ResponseHead
        private(set) var received = Data()
        private var chunks: ResponseBody.AsyncIterator

        fileprivate init(_ response: APIResponse) {
            head = response.head
            chunks = response.body.makeAsyncIterator()
        }

        /// Reads until so many bytes are there.
        mutating func readStart(_ count: Int) async throws {
            while received.count < count, let chunk = try await chunks.next() { received.append(chunk) }
        }

        /// Reads to the end, and counts what comes.
        mutating func countRest() async throws -> Int {
            var count = 0
            while let chunk = try await chunks.next() { count += chunk.count }
            return count
        }
    }

    /// Asks for a streamed answer.
    func response(
        _ path: String, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> APIResponse {
        let request = request(path) { options in
            options.delivery = .streamed
            configure(&options)
        }
        return try await session.send(request)
    }

    /// Asks for a streamed answer, to be read.
    func stream(
        _ path: String, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> Stream {
        Stream(try await response(path, configure))
    }

    /// What arrives of a streamed answer, and the error that it ends with.
    func reading(
        of path: String, _ configure: @escaping @Sendable (inout RequestOptions) -> Void = { _ in }
    ) async throws -> (Data, (any Error)?) {
        try await bounded {
            // An end before the head is one without bytes: what takes its time may be that slow.
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
