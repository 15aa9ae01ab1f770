import Errand
import ErrandJSON

/// Reads, merges and decodes the payloads of a response off the caller's actor. Releasing it ends the transfer.
actor IncrementalReader<Response: Decodable & Sendable> {
    /// The maximum number of bytes that are read after the last payload: 64 kB.
    private static var restLimit: Int { 65_536 }
    /// The time in which they are read: 1 second.
    private static var restTimeout: Duration { .seconds(1) }

    private var chunks: ResponseBody.AsyncIterator
    private let head: ResponseHead
    private let decoder: JSONDecoder
    private let limit: Int
    private let time: any TimeSource
    private var deadline: Deadline?
    /// `nil` if the response is a single JSON text.
    private var splitter: MultipartMixedSplitter?
    private var merger = IncrementalMerger()
    /// The response of the last snapshot.
    private var last: GraphQLResponse<Response>?
    private var isComplete = false

    /// Creates a reader. The deadline and the clock are those of the request.
    init(
        _ loaded: Loaded<ResponseBody>, _ options: RequestOptions, decoder: JSONDecoder, limit: Int
    ) throws(ServiceError) {
        (chunks, head) = (loaded.value.makeAsyncIterator(), loaded.head)
        (self.decoder, self.limit, time, deadline) = (decoder, limit, options.time, options.deadline)
        guard head.isSuccess, head.mediaType == GraphQLMedia.multipart else { return }
        splitter = MultipartMixedSplitter(boundary: try head.boundary, limit: limit)
    }

    /// Returns the next snapshot, or `nil` after the last payload.
    func next() async throws(ServiceError) -> GraphQLSnapshot<Response>? {
        if isComplete {
            // Unstructured, because the loop has all data and must not wait for a service that keeps the body open.
            if splitter != nil { Task { await readRest() } }
            return nil
        }
        guard splitter != nil else { return try await single() }
        while true {
            if let payload = try payload() { return try snapshot(merging: payload) }
            if splitter?.isAtEnd == true { throw truncated }
            guard let chunk = try await chunk() else { throw truncated }
            splitter?.add(chunk)
        }
    }

    private func payload() throws(ServiceError) -> Data? {
        do throws(ServiceError) {
            return try splitter?.next()
        } catch {
            var failure = error
            failure.response = head
            throw failure
        }
    }

    private func snapshot(merging payload: Data) throws(ServiceError) -> GraphQLSnapshot<Response> {
        do {
            return try interruptible {
                try merger.merge(payload)
                let response = try response()
                (last, isComplete) = (response, merger.isComplete)
                return GraphQLSnapshot(response: response, pending: merger.pending)
            }
        } catch {
            throw adding(payload, to: error)
        }
    }

    /// Returns the merged response. It is decoded only if the last payload has changed it.
    private func response() throws -> GraphQLResponse<Response> {
        guard let last, !merger.isChanged else {
            let parser = GraphQLResponseParser(head: head, body: merger.response, decoder: decoder, isEvent: true)
            return try parser.response()
        }
        var response = GraphQLResponse(last.outcome, extensions: last.extensions, hasNext: !merger.isComplete)
        response.head = head
        return response
    }

    /// Returns the snapshot of a response that is a single JSON text.
    private func single() async throws(ServiceError) -> GraphQLSnapshot<Response> {
        var body = Data()
        while let chunk = try await chunk() {
            guard chunk.count <= limit - body.count else { throw .bodyTooLarge(limit) }
            body += chunk
        }
        isComplete = true
        do {
            let response: GraphQLResponse<Response> = try interruptible {
                try GraphQLResponseParser(head: head, body: body, decoder: decoder).response()
            }
            guard !response.hasNext else {
                throw ServiceError(
                    .connectionLost, "expected more payloads after the JSON response, found the end of the body")
            }
            return GraphQLSnapshot(response: response)
        } catch {
            throw adding(body, to: error)
        }
    }

    /// Reads the rest of the body, so that the session can use the connection again. The response is complete, so a
    /// failure has no effect.
    private func readRest() async {
        let limit = Deadline.after(Self.restTimeout, on: time)
        if deadline.map({ limit.remaining < $0.remaining }) ?? true { deadline = limit }
        var count = 0
        while count < Self.restLimit, let chunk = try? await chunk() { count += chunk.count }
    }

    /// Runs parsing and decoding, which the deadline and a cancellation interrupt.
    private func interruptible<Value>(_ work: () throws -> Value) throws -> Value {
        let deadline = deadline
        let interruption: @Sendable () throws -> Void = {
            if let deadline { try deadline.check() } else { try ServiceError.checkCancellation() }
        }
        return try FastJSONDecoder.$interruption.withValue(interruption, operation: work)
    }

    private func chunk() async throws(ServiceError) -> Data? {
        do {
            return try await race(deadline) { try await self.nextChunk() }
        } catch {
            throw ServiceError(
                wrapping: Task.isCancelled ? CancellationError() : error, as: .transport, "the session failed")
        }
    }

    private func nextChunk() async throws(ServiceError) -> Data? {
        var reader = chunks
        let chunk = try await reader.next(isolation: self)
        chunks = reader
        return chunk
    }

    private func adding(_ body: Data, to error: any Error) -> ServiceError {
        var failure = ServiceError(wrapping: error, as: .decoding, "the response can't be parsed")
        failure.response = failure.response ?? head
        failure.body = failure.body ?? body.prefix(ServiceError.bodyLimit)
        return failure
    }

    /// The error for a body that ends before the last payload.
    private var truncated: ServiceError {
        var error =
            if splitter?.hasDelimiter == false {
                ServiceError(
                    .badResponse, "expected the boundary of the Content-Type header in the body, found none")
            } else {
                ServiceError(
                    .connectionLost, "expected more payloads after payload \(merger.count), found the end of the body")
            }
        error.response = head
        return error
    }
}

extension ResponseHead {
    /// The boundary of a multipart body.
    fileprivate var boundary: String {
        get throws(ServiceError) {
            // Both headers have the same parameters (RFC 9110, section 5.6.6).
            let boundary = headers["Content-Type"].flatMap { ContentDisposition($0)["boundary"] } ?? ""
            // The maximum is that of RFC 2046, section 5.1.1.
            guard (1...70).contains(boundary.utf8.count) else {
                var error = ServiceError(
                    .badResponse,
                    "expected a boundary of 1 to 70 bytes in the Content-Type header, found \(boundary.utf8.count)")
                error.response = self
                throw error
            }
            return boundary
        }
    }
}
