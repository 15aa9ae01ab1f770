import Errand

/// Generates raw HTTP/1.1 responses, valid and mutated, from a seed. The same seed and index produce the same bytes.
///
/// ```swift
/// let mutator = WireMutator(seed: 7)
/// for index in 0..<60_000 {
///     let exchange = mutator.exchange(index)
///     serve(exchange.parts, then: exchange.ending)
///     let complaint = exchange.violation(in: await Result { try await session.send(request) })
/// }
/// ```
/// ``WireFuzz`` does this with a real socket. One response in six is valid. Every other response ends early, or has up
/// to four mutations of its status line, headers, framing, chunks, codings, interim responses or single bytes.
public struct WireMutator: Sendable {
    /// The seed of the responses.
    public let seed: UInt64

    /// Creates a mutator.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the exchange with this index. Indices start at 0.
    public func exchange(_ index: Int) -> WireExchange {
        var random = WireRandom(seed: seed, index: index)
        var draft = WireDraft(valid: &random, marker: "[exchange \(index)] ")
        var names: [String] = []
        let fate = random.below(100)
        if (16..<62).contains(fate) { spoil(&draft, &names, &random) }
        var bytes = draft.bytes
        if (62..<86).contains(fate) { spoil(&bytes, headCount: draft.headerBytes.count, &names, &random) }
        if fate >= 86 || fate >= 16 && random.chance(8) { cut(&bytes, &draft, &names, &random) }
        let expectation = WireExpectation(of: bytes, isHead: draft.isHead, isMutated: !names.isEmpty, draft.isReset)
        let parts = Self.split(bytes, upTo: expectation, &random)
        return WireExchange(
            seed: seed, index: index, method: draft.isHead ? .head : .get, mutations: names, parts: parts,
            ending: Self.ending(draft, expectation, &random), expectation: expectation)
    }

    private func spoil(_ draft: inout WireDraft, _ names: inout [String], _ random: inout WireRandom) {
        for _ in 0..<random.pick(1, 1, 1, 2, 2, 3) {
            guard let mutation = random.element(of: random.element(of: WireMutation.kinds) ?? []) else { continue }
            mutation.apply(&draft, &random)
            names.append(mutation.name)
        }
    }

    private func spoil(_ bytes: inout [UInt8], headCount: Int, _ names: inout [String], _ random: inout WireRandom) {
        for _ in 0..<random.pick(1, 1, 2, 4) {
            WireMutation.changeBytes(&bytes, headCount: headCount, &random)
            names.append("changed bytes")
        }
    }

    private func cut(
        _ bytes: inout [UInt8], _ draft: inout WireDraft, _ names: inout [String], _ random: inout WireRandom
    ) {
        let limit = random.chance(40) ? min(draft.headerBytes.count + 8, bytes.count) : bytes.count
        bytes = Array(bytes.prefix(random.below(limit + 1)))
        draft.isReset = random.chance(20)
        names.append(draft.isReset ? "early reset" : "early close")
    }

    /// Splits the bytes into the fragments that are written separately.
    ///
    /// Bytes after the response are written together with its last byte. Otherwise, a client that had read only the
    /// response could reuse the connection without seeing them.
    private static func split(
        _ bytes: [UInt8], upTo expectation: WireExpectation, _ random: inout WireRandom
    ) -> [Data] {
        let limit = expectation.responses.isEmpty ? bytes.count : expectation.length
        var cuts: Set<Int> = []
        switch random.below(10) {
        case 0...4: break
        case 5...7: for _ in 0..<random.pick(1, 1, 2, 4) { cuts.insert(random.below(limit)) }
        case 8: cuts.formUnion(0..<min(limit, 30))
        default: cuts.formUnion(max(0, limit - 12)..<max(0, limit))
        }
        let ends = [0] + cuts.subtracting([0]).sorted() + [bytes.count]
        return zip(ends, ends.dropFirst()).filter { $0 < $1 }.map { Data(bytes[$0..<$1]) }
    }

    private static func ending(
        _ draft: WireDraft, _ expectation: WireExpectation, _ random: inout WireRandom
    ) -> WireExchange.Ending {
        if draft.isReset { return .reset }
        let isPlain = expectation.mustSucceed && expectation.endsByItself
        return isPlain && random.chance(60) ? .keepOpen : .close
    }
}
