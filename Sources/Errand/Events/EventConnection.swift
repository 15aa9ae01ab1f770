/// An open connection of an event source. It reads, parses and decodes off the caller's actor. Releasing it ends the
/// transfer.
actor EventConnection<Element: Sendable> {
    /// The contents of a chunk.
    struct Batch: Sendable {
        var elements: [Element] = []
        /// The number of events, including those without an element.
        var eventCount = 0
        /// The last event ID after the chunk.
        var lastEventID = ""
        /// The last reconnection time that the server requested.
        var retry: Duration?
        /// The result of the chunk, after its elements: the end of the source if it is not `nil`.
        var end: Result<Void, ServiceError>?
    }

    private var chunks: ResponseBody.AsyncIterator
    private var parser: EventParser
    private let reading: EventReading<Element>
    private let head: ResponseHead

    init(_ loaded: Loaded<ResponseBody>, _ parser: EventParser, _ reading: EventReading<Element>) {
        (chunks, head) = (loaded.value.makeAsyncIterator(), loaded.head)
        (self.parser, self.reading) = (parser, reading)
    }

    /// Returns the contents of the next chunk, or `nil` at the end of the stream.
    func next() async throws(ServiceError) -> Batch? {
        var reader = chunks
        guard let chunk = try await reader.next(isolation: self) else { return nil }
        chunks = reader
        parser.append(chunk)
        var batch = Batch()
        do throws(ServiceError) {
            while batch.end == nil, let output = try parser.next() { try add(output, to: &batch) }
        } catch {
            batch.end = .failure(error)
        }
        batch.lastEventID = parser.lastEventID
        return batch
    }

    private func add(_ output: EventParser.Output, to batch: inout Batch) throws(ServiceError) {
        let step: EventReading<Element>.Step
        switch output {
        case .retry(let duration):
            batch.retry = duration
            return
        case .comment(let text): step = try reading.step(.comment(text), head)
        case .event(let event):
            batch.eventCount += 1
            step = try reading.step(.event(event), head)
        }
        switch step {
        case .element(let element): batch.elements.append(element)
        case .skip: break
        case .end: batch.end = .success(())
        }
    }
}
