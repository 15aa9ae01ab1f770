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

    /// The maximum number of bytes of a JSON body: 1 MB, as for ``APILoader``.
    private static var jsonLimit: Int { 1 << 20 }

    private var chunks: ResponseBody.AsyncIterator
    private var parser: EventParser
    private let reading: EventReading<Element>
    private let head: ResponseHead
    private var isAtStart = true

    init(_ loaded: Loaded<ResponseBody>, _ parser: EventParser, _ reading: EventReading<Element>) {
        (chunks, head) = (loaded.value.makeAsyncIterator(), loaded.head)
        (self.parser, self.reading) = (parser, reading)
    }

    /// Returns the contents of the next chunk, or `nil` at the end of the stream.
    func next() async throws(ServiceError) -> Batch? {
        var reader = chunks
        guard var chunk = try await reader.next(isolation: self) else { return nil }
        var batch = Batch()
        if isAtStart, let refusal = reading.refusal, head.mediaType != "text/event-stream" {
            var start = chunk.startIndex
            do throws(ServiceError) {
                while Self.mayBeJSON(chunk, from: &start), let next = try await reader.next(isolation: self) {
                    chunk += next
                }
            } catch {
                // The bytes before the error can be the complete refusal, because the service keeps the connection open.
                throw refusal(head, chunk) ?? error
            }
            if let error = refusal(head, chunk) { batch.end = .failure(error) }
        }
        isAtStart = false
        chunks = reader
        parser.append(chunk)
        do throws(ServiceError) {
            while batch.end == nil, let output = try parser.next() { try add(output, to: &batch) }
        } catch {
            batch.end = .failure(error)
        }
        batch.lastEventID = parser.lastEventID
        return batch
    }

    /// Whether a body can be a JSON object that needs more bytes. An event stream does not begin with a brace, so that
    /// it is found even if it has the media type of JSON. `start` is the index after the known white space.
    private static func mayBeJSON(_ body: Data, from start: inout Data.Index) -> Bool {
        start = body[start...].firstIndex { !$0.isJSONSpace } ?? body.endIndex
        return body.count < jsonLimit && (start == body.endIndex || body[start] == UInt8(ascii: "{"))
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
