public import Errand
import ErrandSupport

/// The raw bytes of one response, and the expected result of a correct client.
public struct WireExchange: Sendable {
    /// How the connection continues after the last byte.
    public enum Ending: Sendable, Hashable {
        /// The connection stays open for the next request.
        case keepOpen
        /// An orderly close.
        case close
        /// A TCP reset.
        case reset
    }

    /// The seed of the mutator.
    public let seed: UInt64
    /// The index of the exchange.
    public let index: Int
    /// The method of the request: GET or HEAD.
    public let method: HTTPMethod
    /// The names of the mutations of a valid response, in order. Empty for a response without mutations.
    public let mutations: [String]
    /// The bytes, in the fragments in which they are written.
    public let parts: [Data]
    /// The end of the connection after the bytes.
    public let ending: Ending
    /// The expected result of a correct client.
    package let expectation: WireExpectation

    /// All bytes of the response.
    public var bytes: Data { parts.reduce(into: Data()) { $0.append($1) } }
}

extension WireExchange {
    /// The reason why a session's result for this exchange is wrong, or `nil` if it is correct.
    ///
    /// - Parameter result: The response with its collected body, or the error.
    /// - Returns: A single-line description.
    public func violation(in result: Result<(head: ResponseHead, body: Data), any Error>) -> String? {
        switch result {
        case .failure(let error): return violation(in: error)
        case .success(let (head, body)): return violation(in: head, body)
        }
    }

    private func violation(in error: any Error) -> String? {
        if expectation.mustSucceed { return "a valid response was refused: \(Self.text(error))" }
        let code = ServiceError(wrapping: error, as: .transport, "").code
        // If the client may fail, the connection ends after the bytes, so a timeout is wrong.
        if code == .timeout {
            return "expected an error when the connection ended, found a timeout: \(Self.text(error))"
        }
        return code == .cancelled ? "expected an error other than cancelled" : nil
    }

    private func violation(in head: ResponseHead, _ body: Data) -> String? {
        if let flaw = expectation.flaw {
            return "expected an error (\(flaw)), found status \(head.status) with \(body.count) bytes"
        }
        guard expectation.responses.contains(.init(status: head.status, body: body)) else {
            let expected = expectation.responses.map { "status \($0.status) with \(Self.text($0.body))" }
            return
                "expected \(expected.joined(separator: " or ")), found status \(head.status) with \(Self.text(body)); "
                + "response headers: \(Self.text(head.headers))"
        }
        let malformed = head.headers.first { $0.flaw != nil }
        return malformed.map { "invalid response header: \($0.flaw ?? "")" }
    }

    private static func text(_ error: any Error) -> String { "\(error)".singleLine(limit: 200) }

    /// The header section shows whether the response is the expected one, or the refusal of the server.
    private static func text(_ headers: HeaderFields) -> String {
        headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ").singleLine(limit: 200)
    }

    private static func text(_ body: Data) -> String {
        "\(body.count) bytes ‹\(String(decoding: body.prefix(40), as: UTF8.self).singleLine(limit: 40))›"
    }
}

extension WireExchange: CustomStringConvertible {
    /// The seed, the index, the method, the mutations and the ending.
    public var description: String {
        let changes = mutations.isEmpty ? "valid" : mutations.joined(separator: ", ")
        return "seed \(seed), index \(index) (\(method) \(changes); \(ending))"
    }
}
