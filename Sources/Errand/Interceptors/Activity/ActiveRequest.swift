import ErrandSupport

/// One request's time in flight, which ends once.
final class ActivityStay: Sendable {
    private let hasEnded = Locked(false)
    private let leave: @Sendable () -> Void

    init(_ leave: @escaping @Sendable () -> Void) {
        self.leave = leave
    }

    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { leave() }
    }
}

extension ResponseBody {
    /// This body, which ends a stay when it ends itself, fails or is dropped.
    func telling(_ stay: ActivityStay) -> ResponseBody {
        ResponseBody(
            BodyStream(
                stop: { stay.end() }, end: { BodyStream.Ending(trailers: self.trailers, metrics: self.metrics) },
                open: {
                    var iterator = self.makeAsyncIterator()
                    return {
                        do {
                            if let chunk = try await iterator.next(isolation: #isolation) { return chunk }
                        } catch {
                            stay.end()
                            throw error
                        }
                        stay.end()
                        return nil
                    }
                }))
    }
}
