import ErrandJSON

/// Reads and decodes the values of a body off the caller's actor. Releasing it ends the transfer.
actor JSONValueReader<Value: Decodable & SendableMetatype & Sendable> {
    /// The values of a chunk.
    struct Batch: Sendable {
        var values: [Value] = []
        /// The end of the values, or `nil` if there may be more.
        var end: Result<Void, ServiceError>?
    }

    private var chunks: ResponseBody.AsyncIterator
    private var splitter: JSONValueSplitter
    private let decoder: JSONDecoder
    /// Counts a value that cannot be decoded. If `nil`, it is an error.
    private let counter: SkipCounter?

    init(_ loaded: Loaded<ResponseBody>, _ values: JSONValues<Value>) {
        chunks = loaded.value.makeAsyncIterator()
        splitter = JSONValueSplitter(JSONValueSplitter.Format(loaded.head), limit: values.limit)
        (decoder, counter) = (values.decoder, values.skipsUndecodable ? values.counter : nil)
    }

    /// Returns the values of the next chunk.
    func next(by deadline: Deadline?) async throws(ServiceError) -> Batch {
        let chunk: Data?
        do {
            chunk = try await race(deadline) { try await self.nextChunk() }
        } catch {
            throw ServiceError(
                wrapping: Task.isCancelled ? CancellationError() : error, as: .transport, "the session failed")
        }
        var batch = Batch()
        do throws(ServiceError) {
            if let chunk {
                splitter.add(chunk)
                while let text = try splitter.next() { try decode(text, to: &batch) }
            } else {
                if let text = splitter.last() { try decode(text, to: &batch) }
                batch.end = .success(())
            }
        } catch {
            batch.end = .failure(error)
        }
        return batch
    }

    private func nextChunk() async throws(ServiceError) -> Data? {
        var reader = chunks
        let chunk = try await reader.next(isolation: self)
        chunks = reader
        return chunk
    }

    private func decode(_ text: JSONValueSplitter.Text, to batch: inout Batch) throws(ServiceError) {
        do {
            guard !text.isTruncated else {
                throw ServiceError(.decoding, "expected white space after a number or a literal")
            }
            batch.values.append(try FastJSONDecoder(decoder).decode(Value.self, from: text.bytes))
        } catch {
            var failure = decoder.failure(error, decoding: Value.self, from: text.bytes)
            guard failure.code == .decoding else { throw failure }
            if let counter { return counter.add() }
            failure.reason = "\(splitter.name(of: text)) cannot be decoded: \(failure.reason)"
            failure.body = text.bytes.prefix(ServiceError.bodyLimit)
            throw failure
        }
    }
}
