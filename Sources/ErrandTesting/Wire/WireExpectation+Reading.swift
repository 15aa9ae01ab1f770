package import Errand

extension WireExpectation {
    /// Parses the bytes with every combination of choices that a client has.
    init(of bytes: [UInt8], isHead: Bool, isMutated: Bool, _ isReset: Bool) {
        var responses: [Response] = []
        var first: (length: Int, endsByItself: Bool, flaw: String?)?
        var freedoms: Set<Freedom> = []
        for choice in [WireReader.Choice(), .init(countsSpacedNames: true)] {
            for choice in [choice, .init(countsSpacedNames: choice.countsSpacedNames, emptyCodingIsNone: true)] {
                // Most responses allow only one interpretation and are parsed once.
                if first != nil, freedoms.isDisjoint(with: [.spacedName, .emptyCoding]) { continue }
                var reader = WireReader(bytes, isHead: isHead, endsInOrder: !isReset, choice: choice)
                var flaw: String?
                do throws(WireFlaw) {
                    let response = try reader.response()
                    if !responses.contains(response) { responses.append(response) }
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
            responses: responses,
            mustSucceed: !isMutated && freedoms.isEmpty && !responses.isEmpty && length == bytes.count,
            flaw: responses.isEmpty ? first?.flaw : nil, freedoms: freedoms, length: length,
            endsByItself: first?.endsByItself ?? false)
    }

    /// The expectation for bytes that are followed by the end of the connection.
    ///
    /// - Parameters:
    ///   - bytes: All bytes that the client receives.
    ///   - method: The method of the request. A response to HEAD has no body.
    ///   - isReset: Whether the connection ends with a reset instead of an orderly close.
    package init(of bytes: Data, method: HTTPMethod = .get, isReset: Bool = false) {
        self.init(of: Array(bytes), isHead: method == .head, isMutated: false, isReset)
    }
}
