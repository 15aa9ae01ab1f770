extension CacheInterceptor {
    /// Stores a response, if this is allowed. A streamed body is stored while the caller reads it.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - call: The call.
    ///   - start: The time at which the request was sent.
    ///   - invalidations: The number of invalidations at that time.
    /// - Returns: The response for the caller.
    func store(
        _ response: APIResponse, of call: CacheCall, sentAt start: Date, after invalidations: Int
    ) async -> APIResponse {
        let facts = CacheFacts(response.head, requestDate: start, responseDate: call.now)
        let selection = VarySelection(response.head.headers, of: call.request)
        let obstacle = obstacle(response, facts, call)
        guard let selection, !selection.isUnknown(call.request), obstacle == nil else {
            call.note("not stored: \(obstacle ?? "Vary")")
            // The stored responses are older than this one.
            if isReplacement(response.head), !call.directives.contains("no-store") {
                await change(call) { try await self.store.remove(call.key) }
            }
            // The reason can be this request, and not the response.
            let isReason = CacheStorage.obstacle(response.head, facts, CacheDirectives(nil as String?)) != nil
            await call.lease.end(isReason && isReplacement(response.head) ? .notStorable : .failed)
            return response
        }
        let head = CacheStorage.stored(response.head, facts, url: response.head.url)
        let entry = CacheEntry(
            head: head, requestDate: start, responseDate: facts.responseDate, selection: selection,
            isEncoded: !response.body.codings.names.isEmpty)
        var writer: (any CacheWriter)?
        await change(call) { writer = try await self.store.makeWriter(for: entry, key: call.key) }
        guard let writer else {
            await call.lease.end(.notStorable)
            return response
        }
        let storing = CacheStoring(interceptor: self, writer: writer, call: call, invalidations: invalidations)
        guard let data = response.body.data else {
            var response = response
            response.body = storing.stored(response.body)
            return response
        }
        if await storing.write(data) { await storing.finish() }
        return response
    }

    /// Whether a response shows that the resource has changed. Other errors say nothing about it.
    private func isReplacement(_ head: ResponseHead) -> Bool {
        (200..<400).contains(head.status) || head.status == 404 || head.status == 410
    }

    private func obstacle(_ response: APIResponse, _ facts: CacheFacts, _ call: CacheCall) -> String? {
        guard call.isOwn(response.head) else { return "redirected" }
        // An inner interceptor can have added credentials that the key does not contain.
        if call.key.identity?.isDerived ?? true, let sent = response.head.secrets?.secrets, !sent.isEmpty {
            let own = CarriedSecrets()
            own.note(call.request)
            guard sent.isSubset(of: own.secrets) else { return "credentials without an identity" }
        }
        return CacheStorage.obstacle(response.head, facts, call.directives)
    }
}

/// Stores the body of one response.
private struct CacheStoring: Sendable {
    let interceptor: CacheInterceptor
    let writer: any CacheWriter
    let call: CacheCall
    /// The number of invalidations before the request was sent.
    let invalidations: Int

    /// Writes bytes. Returns `false` if the response is not stored.
    func write(_ bytes: Data) async -> Bool {
        do {
            if try await writer.write(bytes) { return true }
            call.note("not stored: the store has no space for the body")
            await call.lease.end(.notStorable)
        } catch {
            call.note("the store failed: \(error)")
            await cancel()
        }
        return false
    }

    /// Completes the entry. An entry that was invalidated in the meantime is discarded.
    func finish() async {
        guard !interceptor.withState({ $0.wasInvalidated(call.key, after: invalidations) }) else {
            call.note("not stored: the resource was changed in the meantime")
            return await cancel()
        }
        do {
            try await writer.finish()
            await call.lease.end(.stored)
            interceptor.withState { $0.statistics.stores += 1 }
            // A write can have ended after the check.
            if interceptor.withState({ $0.wasInvalidated(call.key, after: invalidations) }) {
                try await interceptor.store.remove(call.key)
            }
        } catch {
            call.note("the store failed: \(error)")
            await call.lease.end(.failed)
        }
    }

    private func cancel() async {
        await writer.cancel()
        await call.lease.end(.failed)
    }

    /// Returns a stream of the same bytes, which are stored when it ends.
    func stored(_ body: ResponseBody) -> ResponseBody {
        var result = ResponseBody(
            BodyStream(
                stop: {
                    // After the end of the stream, the writer is finished, and `cancel()` does nothing. The task is
                    // unstructured because a deinitializer cannot wait.
                    Task { await cancel() }
                },
                end: { BodyStream.Ending(trailers: body.trailers, metrics: body.metrics) },
                open: {
                    var iterator = body.makeAsyncIterator()
                    var isStored = true
                    return {
                        guard let chunk = try await iterator.next(isolation: #isolation) else {
                            if isStored { await self.finish() }
                            isStored = false
                            return nil
                        }
                        if isStored { isStored = await self.write(chunk) }
                        return chunk
                    }
                }))
        result.codings = body.codings
        return result
    }
}
