public import Errand
import ErrandSupport

/// One request's answer as raw bytes, and what a correct client makes of it.
public struct WireExchange: Sendable {
    /// What happens to the connection behind the last byte.
    public enum Ending: Sendable, Hashable {
        /// It stays open for the next request.
        case stay
        /// It is closed in order.
        case close
        /// It is reset.
        case reset
    }

    /// The mutator's seed.
    public let seed: UInt64
    /// The exchange's number.
    public let index: Int
    /// GET or HEAD.
    public let method: HTTPMethod
    /// What was done to a whole answer, in order; empty where it was left whole.
    public let mutations: [String]
    /// The bytes, in the parts in which they are written.
    public let parts: [Data]
    /// What follows them.
    public let ending: Ending
    /// What a correct client makes of it.
    public let expectation: WireExpectation

    /// All bytes.
    public var bytes: Data { parts.reduce(into: Data()) { $0.append($1) } }
}

extension WireExchange {
    /// What is wrong with what a session made of this exchange; nil where nothing is.
    ///
    /// - Parameter result: The answer with its collected body, or the error.
    /// - Returns: One clause.
    public func complaint(about result: Result<(head: ResponseHead, body: Data), any Error>) -> String? {
        switch result {
        case .failure(let error): return complaint(about: error)
        case .success(let (head, body)): return complaint(about: head, body)
        }
    }

    private func complaint(about error: any Error) -> String? {
        if expectation.mustSucceed { return "a whole answer was refused: \(Self.text(error))" }
        let code = ServiceError(wrapping: error, as: .transport, "").code
        // Where the client may fail, the connection ends: there is nothing to wait for.
        if code == .timeout { return "it waited for more after the connection had ended: \(Self.text(error))" }
        return code == .cancelled ? "it failed as if its caller had cancelled" : nil
    }

    private func complaint(about head: ResponseHead, _ body: Data) -> String? {
        if let flaw = expectation.flaw {
            return "it was accepted with status \(head.status) and \(body.count) bytes, though \(flaw)"
        }
        guard expectation.answers.contains(.init(status: head.status, body: body)) else {
            let expected = expectation.answers.map { "\($0.status) with \(Self.text($0.body))" }
            return "it gave \(head.status) with \(Self.text(body)), not \(expected.joined(separator: ", nor ")); "
                + "response headers: \(Self.text(head.fields))"
        }
        let field = head.fields.first { $0.flaw != nil }
        return field.map { "a header field was passed on though \($0.flaw ?? "")" }
    }

    private static func text(_ error: any Error) -> String { "\(error)".singleLine(limit: 200) }

    /// The header section shows whether the response is the expected one, or the refusal of the server.
    private static func text(_ fields: HeaderFields) -> String {
        fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ").singleLine(limit: 200)
    }

    private static func text(_ body: Data) -> String {
        "\(body.count) bytes ‹\(String(decoding: body.prefix(40), as: UTF8.self).singleLine(limit: 40))›"
    }
}

extension WireExchange: CustomStringConvertible {
    /// Where it comes from and what was done to it.
    public var description: String {
        let changes = mutations.isEmpty ? "whole" : mutations.joined(separator: ", ")
        return "seed \(seed), index \(index) (\(method) \(changes); \(ending))"
    }
}
