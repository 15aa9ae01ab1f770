package import Errand

extension CannedReply {
    /// One event that the caller receives or waits for.
    package enum Step: Sendable {
        case wait(Duration)
        case head(Head)
        case data(Data)
        case finish
        case fail(any Error)

        var isLast: Bool {
            switch self {
            case .finish, .fail: true
            case .wait, .head, .data: false
            }
        }
    }

    /// The steps that deliver this reply to a caller. A reply that goes silent has no last step.
    ///
    /// A response to HEAD has no body (RFC 9110, section 9.3.2). With `inOnePart`, the body arrives at once after all
    /// pauses. An empty chunk that is skipped has no pause.
    package func steps(hasBody: Bool, inOnePart: Bool = false, skippingEmptyParts: Bool = true) -> [Step] {
        var steps: [Step] = delay > .zero ? [.wait(delay)] : []
        if let head { steps.append(.head(head)) }
        let parts = hasBody && head != nil ? chunks.filter { !$0.isEmpty || !skippingEmptyParts } : []
        let pauses: [Step] = interval > .zero ? [.wait(interval)] : []
        if inOnePart, !parts.isEmpty {
            steps += Array(repeating: pauses, count: parts.count - 1).joined()
            steps.append(.data(Data(parts.joined())))
        } else {
            for (index, part) in parts.enumerated() {
                if self.pauses.isEmpty {
                    steps += index == 0 ? [] : pauses
                } else if index < self.pauses.count, self.pauses[index] > .zero {
                    steps.append(.wait(self.pauses[index]))
                }
                steps.append(.data(part))
            }
        }
        switch ending {
        case .complete: steps.append(.finish)
        case .failure(let error): steps.append(.fail(error))
        case .silence: break
        }
        return steps
    }
}
