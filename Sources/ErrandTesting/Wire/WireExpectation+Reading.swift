public import Errand

extension WireExpectation {
    /// Reads bytes under every choice that a client has.
    init(of bytes: [UInt8], isHead: Bool, isSpoiled: Bool, _ isReset: Bool) {
        var answers: [Answer] = []
        var first: (length: Int, endsByItself: Bool, flaw: String?)?
        var freedoms: Set<Freedom> = []
        for choice in [WireReader.Choice(), .init(countsSpacedNames: true)] {
            for choice in [choice, .init(countsSpacedNames: choice.countsSpacedNames, emptyCodingIsNone: true)] {
                // Most answers leave no choice, and are read once.
                if first != nil, freedoms.isDisjoint(with: [.spacedName, .emptyCoding]) { continue }
                var reader = WireReader(bytes, isHead: isHead, endsInOrder: !isReset, choice: choice)
                var flaw: String?
                do throws(WireFlaw) {
                    let answer = try reader.answer()
                    if !answers.contains(answer) { answers.append(answer) }
                } catch {
                    flaw = error.reason
                }
                freedoms.formUnion(reader.freedoms)
                first = first ?? (reader.position, reader.endsByItself, flaw)
            }
        }
        if isReset { freedoms.insert(.reset) }
        let length = first?.length ?? 0
        self.init(
            answers: answers, mustSucceed: !isSpoiled && freedoms.isEmpty && !answers.isEmpty && length == bytes.count,
            flaw: answers.isEmpty ? first?.flaw : nil, freedoms: freedoms, length: length,
            endsByItself: first?.endsByItself ?? false)
    }

    /// What a client has to make of bytes that end with their connection.
    ///
    /// - Parameters:
    ///   - bytes: All bytes that the client gets.
    ///   - method: The method of the request; a HEAD's answer has no body.
    ///   - isReset: Whether the connection ends by a reset, not in order.
    public init(of bytes: Data, method: HTTPMethod = .get, isReset: Bool = false) {
        self.init(of: Array(bytes), isHead: method == .head, isSpoiled: false, isReset)
    }
}
