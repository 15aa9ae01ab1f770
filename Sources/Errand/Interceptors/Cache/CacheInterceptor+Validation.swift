extension CacheInterceptor {
    /// The statuses that a stored response may replace (RFC 5861, section 4).
    private static let replaceable: Set<Int> = [500, 502, 503, 504]

    /// The errors that a stored response may replace. Others, such as a refused certificate, say that the response must
    /// not be used.
    private static let replaceableErrors: Set<ServiceError.Code> = [
        .connection, .connectionLost, .responseLost, .timeout, .transport, .circuitOpen,
    ]

    /// Sends a conditional request for a stored response (RFC 9111, section 4.3).
    func validate(_ entry: CacheEntry, _ call: CacheCall, _ reason: String) async throws -> APIResponse {
        let start = call.now
        let invalidations = withState { $0.invalidations }
        let response: APIResponse
        do {
            response = try await call.send(call.request.validating(entry, call.mode))
        } catch {
            let code = (error as? ServiceError)?.code ?? .transport
            guard !Task.isCancelled, Self.replaceableErrors.contains(code),
                let stale = await self.stale(entry, call, "\(reason), stale-if-error")
            else {
                throw error
            }
            return stale
        }
        if Self.replaceable.contains(response.head.status) {
            let note = "\(reason), status \(response.head.status), stale-if-error"
            if let stale = await stale(entry, call, note) { return stale }
        }
        guard response.head.status == 304 else {
            call.note("\(reason): status \(response.head.status)")
            return await store(response, of: call, sentAt: start, after: invalidations)
        }
        // The target of a redirect cannot validate the response of another URL.
        guard call.isOwn(response.head), CacheStorage.isValidated(entry.head, by: response.head) else {
            call.note("\(reason): status 304 for another version")
            await change(call) { try await self.store.remove(call.key) }
            return try await fetch(call, call.request)
        }
        return await use(entry, validatedBy: response, call, sentAt: start, after: invalidations, reason)
    }

    private func use(
        _ entry: CacheEntry, validatedBy response: APIResponse, _ call: CacheCall, sentAt start: Date,
        after invalidations: Int, _ reason: String
    ) async -> APIResponse {
        let updated = entry.updated(
            with: CacheStorage.updated(entry.head, with: response.head), requestDate: start, responseDate: call.now)
        call.note("\(reason), validated: 304")
        withState { $0.statistics.validations += 1 }
        await keep(updated, replacing: entry, call, after: invalidations)
        await call.lease.end(.stored)
        return APIResponse(head: call.served(updated), body: updated.body, metrics: response.metrics)
    }

    /// Returns a stale response that may replace an error, or `nil`.
    private func stale(_ entry: CacheEntry, _ call: CacheCall, _ reason: String) async -> APIResponse? {
        guard call.mode != .noCache, CacheDecision.allowsErrors(entry.facts, call.directives, at: call.now) else {
            return nil
        }
        call.note(reason)
        withState { $0.statistics.replacedErrors += 1 }
        return APIResponse(head: call.served(entry), body: entry.body)
    }

    /// Validates a stale response that is already in use (RFC 5861, section 3).
    ///
    /// The task is unstructured because the caller does not wait for it. There is at most one for each key, and at most
    /// ``backgroundLimit`` in all.
    func refresh(_ entry: CacheEntry, _ call: CacheCall) {
        let isFirst = withState { state in
            state.refreshes.count < Self.backgroundLimit && state.refreshes.insert(call.key).inserted
        }
        guard isFirst else { return }
        call.note("validated in the background")
        let call = call.inBackground
        // The caller reads the body.
        let entry = entry.with(ResponseBody(), size: entry.size ?? 0)
        Task {
            // An error leaves the stored response as it is. The next request tries again.
            _ = try? await self.request(entry, call).body.collect()
            self.withState { _ = $0.refreshes.remove(call.key) }
        }
    }
}

extension CacheCall {
    /// The maximum duration of a validation in the background: one minute.
    private static let refreshLimit = Duration.seconds(60)

    /// The call without the limits of its caller.
    fileprivate var inBackground: CacheCall {
        var request = request
        request.options.deadline = .after(Self.refreshLimit, on: request.options.time)
        request.options.sharedDemand = nil
        request.options.delivery = .buffered
        return CacheCall(request, next) ?? self
    }
}

extension APIRequest {
    /// Returns the conditional request that validates a stored response.
    fileprivate func validating(_ entry: CacheEntry, _ mode: CacheMode) -> APIRequest {
        var request = self
        let validators = entry.head.validators
        if let tag = validators.entityTag {
            request.set(HeaderFields.Field(Precondition.noneMatch, tag.description))
        }
        if let date = validators.lastModifiedText {
            request.set(HeaderFields.Field(Precondition.modifiedSince, date))
        }
        return mode == .noCache ? request.forcingValidation() : request
    }
}
