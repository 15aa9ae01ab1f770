import ErrandSupport

extension JSONTape {
    /// Whether a key or a string has more consecutive combining marks than can be compared in linear time.
    func hasTooManyMarks(_ index: Int) -> Bool {
        let node = nodes[index]
        switch node.kind {
        case .string, .escapedString, .wideKey: break
        default: return false
        }
        guard hasTooManyMarks else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            CombiningMarks.exceedLimit(
                in: UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]),
                escapes: node.kind == .escapedString)
        }
    }
}

extension JSONTape {
    fileprivate func elements(of array: Int) -> [Int] {
        Array(
            sequence(first: array + 1) { Int(self.nodes[$0].next) }
                .prefix { $0 < Int(self.nodes[array].next) })
    }
}

extension JSONTapeDecoder {
    /// Rejects a string that the type compares or hashes: the raw value of an enumeration, or an element of a set.
    ///
    /// A `String` is only copied.
    /// - Throws: A `DecodingError`.
    func checkMarks(_ type: Any.Type) throws {
        guard type != String.self, type != String?.self else { return }
        let isRefused =
            if kind == .array, type is any SetAlgebra.Type {
                tape.elements(of: index).contains(where: tape.hasTooManyMarks)
            } else {
                tape.hasTooManyMarks(index)
            }
        if isRefused { throw tape.refuse(DecodingError.tooManyMarks(at: codingPath)) }
    }
}
