import ErrandJSON

/// Reads and decodes the values of a body off the caller's actor. Releasing it ends the transfer.
actor JSONValueReader<Value: Decodable & SendableMetatype & Sendable> {
    /// The values of a chunk, or some of them.
    struct Batch: Sendable {
        var values: [Value] = []
        /// The end of the values, or `nil` if there may be more.
        var end: Result<Void, ServiceError>?
    }

    /// The maximum number of values that are decoded at once, so that a large chunk needs little memory: 64.
    private static var batchSize: Int { 64 }

    private var chunks: ResponseBody.AsyncIterator
    /// Whether the splitter may have complete values.
    private var hasRest = false
    private var splitter: any JSONTextSplitter
    private let decoder: JSONDecoder
    /// Counts a value that cannot be decoded. If `nil`, it is an error.
    private let counter: SkipCounter?

    init(_ loaded: Loaded<ResponseBody>, _ values: JSONValues<Value>) {
        chunks = loaded.value.makeAsyncIterator()
        splitter =
            if values.isArray {
                JSONArraySplitter(limit: values.limit)
            } else {
                JSONValueSplitter(JSONValueSplitter.Format(loaded.head), limit: values.limit)
            }
        (decoder, counter) = (values.decoder, values.skipsUndecodable ? values.counter : nil)
    }

    /// Returns the next values, at most 64. Reads a chunk if all values of the last one were returned.
    func next(by deadline: Deadline?) async throws(ServiceError) -> Batch {
        if !hasRest {
            let chunk: Data?
            do {
                chunk = try await race(deadline) { try await self.nextChunk() }
            } catch {
                throw ServiceError(
                    wrapping: Task.isCancelled ? CancellationError() : error, as: .transport, "the session failed")
            }
            guard let chunk else { return batch { batch throws(ServiceError) in try decodeLast(to: &batch) } }
            splitter.add(chunk)
        } else if let deadline {
            try deadline.check()
        } else {
            try ServiceError.checkCancellation()
        }
        return batch { batch throws(ServiceError) in try decodeSome(to: &batch) }
    }

    private func batch(_ fill: (inout Batch) throws(ServiceError) -> Void) -> Batch {
        var batch = Batch()
        do throws(ServiceError) { try fill(&batch) } catch { batch.end = .failure(error) }
        return batch
    }

    private func decodeSome(to batch: inout Batch) throws(ServiceError) {
        for _ in 0..<Self.batchSize {
            guard let text = try splitter.next() else {
                hasRest = false
                return
            }
            try decode(text, to: &batch)
        }
        hasRest = true
    }

    private func decodeLast(to batch: inout Batch) throws(ServiceError) {
        if let text = try splitter.last() { try decode(text, to: &batch) }
        batch.end = .success(())
    }

    private func nextChunk() async throws(ServiceError) -> Data? {
        var reader = chunks
        let chunk = try await reader.next(isolation: self)
        chunks = reader
        return chunk
    }

    private func decode(_ text: JSONText, to batch: inout Batch) throws(ServiceError) {
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
