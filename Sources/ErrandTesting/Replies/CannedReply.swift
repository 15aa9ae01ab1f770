public import Errand

/// The reply of a test double: a status, headers and a body, with optional chunks, delays and faults.
///
/// ```swift
/// .json(#"{"id":"1"}"#)
/// .status(503).header("Retry-After", "2")
/// .text("0123456789").truncatingBody(after: 4)
/// .failure(URLError(.notConnectedToInternet))
/// .json("[]").delayed(by: .seconds(2))        // on the double's clock
/// ```
/// Nothing is validated or added, so that tests can use a wrong `Content-Length` or a 204 with a body.
public struct CannedReply: Sendable {
    /// How a reply ends after its chunks.
    package enum Ending: Sendable {
        case complete
        case failure(any Error)
        /// Sends nothing more until the caller stops waiting.
        case silence
    }

    /// The status and the headers.
    package struct Head: Sendable {
        package var status: Int
        package var headers: HeaderFields
    }

    /// The status and the headers. `nil` if the reply ends before them.
    package var head: Head?
    /// The chunks of the body, in the order in which they arrive.
    package var chunks: [Data] = []
    /// The delay before the header section.
    package var delay: Duration = .zero
    /// The pause before each chunk after the first.
    package var interval: Duration = .zero
    /// The pauses before each chunk, including the first. If empty, ``interval`` applies.
    package var pauses: [Duration] = []
    package var ending: Ending = .complete

    /// Creates a reply from its status, headers and chunks.
    public init(status: Int, headers: HeaderFields = [:], chunks: [Data] = []) {
        head = Head(status: status, headers: headers)
        self.chunks = chunks
    }

    private init(ending: Ending) {
        self.ending = ending
    }
}

extension CannedReply {
    /// A response without a body.
    public static func status(_ status: Int) -> Self { Self(status: status) }

    /// A JSON body with its `Content-Type`.
    public static func json(_ text: String, status: Int = 200) -> Self {
        data(Data(text.utf8), type: "application/json", status: status)
    }

    /// A UTF-8 text body with its `Content-Type`.
    public static func text(_ text: String, status: Int = 200) -> Self {
        data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// A body of bytes. If the type is `nil`, no `Content-Type` is added.
    public static func data(_ data: Data, type: String? = nil, status: Int = 200) -> Self {
        chunks([data], type: type, status: status)
    }

    /// A body that arrives in chunks.
    public static func chunks(_ parts: [Data], type: String? = nil, status: Int = 200) -> Self {
        Self(status: status, headers: type.map { ["Content-Type": $0] } ?? [:], chunks: parts)
    }

    /// An error instead of a response, such as `URLError(.timedOut)`.
    public static func failure(_ error: any Error) -> Self { Self(ending: .failure(error)) }

    /// No response. The request ends by its idle timeout, its deadline or its cancellation.
    public static var stall: Self { Self(ending: .silence) }
}

extension CannedReply {
    /// A copy of this reply with one more header.
    public func header(_ name: String, _ value: String) -> Self {
        changed { $0.head?.headers.append(name, value) }
    }

    /// A copy of this reply that starts after a delay on the double's clock.
    public func delayed(by delay: Duration) -> Self {
        changed { $0.delay = delay }
    }

    /// A copy of this reply with a pause on the double's clock between the chunks of its body.
    public func pausing(_ interval: Duration) -> Self {
        changed { $0.interval = interval }
    }

    /// A copy of this reply that loses its connection after this number of body bytes. 0 means after the headers.
    public func truncatingBody(
        after bytes: Int, with error: any Error = URLError(.networkConnectionLost)
    ) -> Self {
        changed { reply in
            reply.chunks = reply.chunks.firstBytes(bytes)
            reply.ending = .failure(error)
        }
    }

    /// A copy of this reply that goes silent after this number of body bytes. 0 means after the headers.
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
    /// The chunks truncated to this number of bytes, without empty chunks.
    fileprivate func firstBytes(_ count: Int) -> [Data] {
        var left = Swift.max(0, count)
        return compactMap { part in
            let kept = part.prefix(left)
            left -= kept.count
            return kept.isEmpty ? nil : Data(kept)
        }
    }
}
