import ErrandSupport

/// A request in flight. Its end is counted once.
final class ActiveRequest: Sendable {
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
    /// Returns the same body. At its end, after an error or when it is released, the request is no longer active.
    func reportingEnd(to active: ActiveRequest) -> ResponseBody {
        ResponseBody(
            BodyStream(
                stop: { active.end() }, end: { BodyStream.Ending(trailers: self.trailers, metrics: self.metrics) },
                open: {
                    var iterator = self.makeAsyncIterator()
                    return {
                        do {
                            if let chunk = try await iterator.next(isolation: #isolation) { return chunk }
                        } catch {
                            active.end()
                            throw error
                        }
                        active.end()
                        return nil
                    }
                }))
    }
}
