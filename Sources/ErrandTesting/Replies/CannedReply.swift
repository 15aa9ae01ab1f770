public import Errand

/// What a test double answers: a head and a body, in parts and with delays where a test needs them, or a fault.
///
/// ```swift
/// .json(#"{"id":"1"}"#)
/// .status(503).field("Retry-After", "2")
/// .text("0123456789").cuttingBody(after: 4)
/// .failure(URLError(.notConnectedToInternet))
/// .json("[]").delayed(by: .seconds(2))        // on the double's clock
/// ```
/// Nothing is checked or completed: a `Content-Length` that lies, or a body with a 204, is what a test may want.
public struct CannedReply: Sendable {
    /// How a reply ends once its parts are given.
    package enum Ending: Sendable {
        case complete
        case failure(any Error)
        /// Nothing comes any more, until the caller gives up.
        case silence
    }

    /// The status and the fields.
    package struct Head: Sendable {
        package var status: Int
        package var fields: HeaderFields
    }

    /// Nil where the reply ends before its head.
    package var head: Head?
    /// The parts of the body, in the order in which they arrive.
    package var chunks: [Data] = []
    /// How long the head keeps the caller waiting.
    package var delay: Duration = .zero
    /// How long each part after the first keeps the caller waiting.
    package var interval: Duration = .zero
    package var ending: Ending = .complete

    /// A reply of its parts.
    public init(status: Int, fields: HeaderFields = [:], chunks: [Data] = []) {
        head = Head(status: status, fields: fields)
        self.chunks = chunks
    }

    private init(ending: Ending) {
        self.ending = ending
    }
}

extension CannedReply {
    /// A reply without a body.
    public static func status(_ status: Int) -> Self { Self(status: status) }

    /// A body of JSON, with its `Content-Type`.
    public static func json(_ text: String, status: Int = 200) -> Self {
        data(Data(text.utf8), type: "application/json", status: status)
    }

    /// A body of text in UTF-8, with its `Content-Type`.
    public static func text(_ text: String, status: Int = 200) -> Self {
        data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// A body of bytes; its `Content-Type` where one is named.
    public static func data(_ data: Data, type: String? = nil, status: Int = 200) -> Self {
        chunks([data], type: type, status: status)
    }

    /// A body that arrives in parts.
    public static func chunks(_ parts: [Data], type: String? = nil, status: Int = 200) -> Self {
        Self(status: status, fields: type.map { ["Content-Type": $0] } ?? [:], chunks: parts)
    }

    /// No answer but an error, such as `URLError(.timedOut)`.
    public static func failure(_ error: any Error) -> Self { Self(ending: .failure(error)) }

    /// No answer at all: the call ends by its time-out, its deadline or its cancellation.
    public static var stall: Self { Self(ending: .silence) }
}

extension CannedReply {
    /// This reply with one more header field.
    public func field(_ name: String, _ value: String) -> Self {
        changed { $0.head?.fields.append(name, value) }
    }

    /// This reply, beginning after a wait on the double's clock.
    public func delayed(by delay: Duration) -> Self {
        changed { $0.delay = delay }
    }

    /// This reply, with a wait on the double's clock between the parts of its body.
    public func pausing(_ interval: Duration) -> Self {
        changed { $0.interval = interval }
    }

    /// This reply, whose connection is lost after some bytes of the body; 0 is right after the head.
    public func cuttingBody(
        after bytes: Int, with error: any Error = URLError(.networkConnectionLost)
    ) -> Self {
        changed { reply in
            reply.chunks = reply.chunks.firstBytes(bytes)
            reply.ending = .failure(error)
        }
    }

    /// This reply, which goes silent after some bytes of the body; 0 is right after the head.
    public func stallingBody(after bytes: Int) -> Self {
        changed { reply in
            reply.chunks = reply.chunks.firstBytes(bytes)
            reply.ending = .silence
        }
    }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension [Data] {
    /// The parts cut off after some bytes; empty parts fall away.
    fileprivate func firstBytes(_ count: Int) -> [Data] {
        var left = Swift.max(0, count)
        return compactMap { part in
            let kept = part.prefix(left)
            left -= kept.count
            return kept.isEmpty ? nil : Data(kept)
        }
    }
}
