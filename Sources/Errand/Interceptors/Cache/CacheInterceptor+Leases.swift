extension CacheInterceptor {
    /// Sends a request, or uses the response that another process has stored in the meantime.
    func request(_ entry: CacheEntry?, _ call: CacheCall) async throws -> APIResponse {
        // Other processes cannot use the response to a range, and a demanded validation must reach the server.
        guard call.range == nil, call.mode == .standard || call.mode == .forceCache,
            !call.directives.contains("no-store"), entry?.facts.canBeFresh ?? true
        else {
            return try await send(call, validating: entry)
        }
        var call = call
        await change(call) { call.lease = try await self.store.lease(of: call.key) }
        do {
            // The wait for a lease ends without a lease or an error if the task is cancelled.
            try Task.checkCancellation()
            var entry = entry
            if call.lease.hasNewEntries, let new = await self.entry(for: call) {
                entry = new
                if let response = use(new, call) {
                    call.note("stored in the meantime by another request")
                    await call.lease.end(.stored)
                    return response
                }
            }
            let response = try await send(call, validating: entry)
            // The lease of a streamed response ends with its body.
            if response.body.data != nil { await call.lease.end(.failed) }
            return response
        } catch {
            await call.lease.end(.failed)
            throw error
        }
    }
}
