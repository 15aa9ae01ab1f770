import ErrandSupport

extension JSONTape {
    /// The largest object for which a linear search through the keys is faster than a hash table.
    private static let maximumWithoutIndex = (members: 48 as UInt32, bytes: 4_096 as UInt32)

    /// The indices of the keys of an object, in the order of the text. The value of each key is at the next index.
    func keys(of object: Int) -> [Int] {
        var keys: [Int] = []
        var index = object + 1
        while index < Int(nodes[object].next) {
            keys.append(index)
            index = Int(nodes[index + 1].next)
        }
        return keys
    }

    /// The index of a key in an object that requires no ``JSONKeyIndex``.
    ///
    /// The search begins at the key with the index `start`, because most types request their members in the order of the
    /// text.
    func key(_ name: String, of object: Int, from start: Int) -> Int? {
        var name = name
        if let index = name.withUTF8({ key($0, in: start..<end(of: object)) ?? key($0, in: object + 1..<start) }) {
            return index
        }
        // The keys are ASCII, but a few other characters are canonically equivalent to an ASCII character.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }), !hasTooManyMarks || !name.hasTooManyMarks else { return nil }
        return keys(of: object).first { text($0) == name }
    }

    /// Whether comparing bytes could be slow, or could find another member than Foundation's decoder does.
    ///
    /// Foundation's decoder uses a dictionary. Canonically equivalent keys are the same key, and the first of two
    /// members counts.
    func needsIndex(of object: Int) -> Bool {
        guard nodes[object].end <= Self.maximumWithoutIndex.members else { return true }
        var seen: UInt64 = 0
        var length: UInt32 = 0
        var index = object + 1
        let end = Int(nodes[object].next)
        while index < end {
            let key = nodes[index]
            length += key.end - key.start
            guard key.kind != .wideKey, length <= Self.maximumWithoutIndex.bytes else { return true }
            let mark = mark(of: key)
            if seen & mark != 0 {
                let first = bytes[Int(key.start)..<Int(key.end)].withUnsafeBufferPointer {
                    self.key($0, in: object + 1..<end)
                }
                guard first == index else { return true }
            }
            seen |= mark
            index = Int(nodes[index + 1].next)
        }
        return false
    }

    private func end(of object: Int) -> Int { Int(nodes[object].next) }

    /// Returns the index of the first key with the given bytes.
    private func key(_ name: UnsafeBufferPointer<UInt8>, in keys: Range<Int>) -> Int? {
        var index = keys.lowerBound
        while index < keys.upperBound {
            if isKey(index, name) { return index }
            index = Int(nodes[index + 1].next)
        }
        return nil
    }

    /// A mask with a single bit, which is the same for equal keys.
    private func mark(of key: Node) -> UInt64 {
        guard key.end > key.start else { return 1 }
        let ends = UInt32(bytes[Int(key.start)]) &* 7 &+ UInt32(bytes[Int(key.end) - 1]) &* 31
        return 1 << UInt64((ends &+ (key.end - key.start)) & 63)
    }

    private func isKey(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let key = nodes[index]
        guard Int(key.end - key.start) == name.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            UnsafeBufferPointer(rebasing: bytes[Int(key.start)..<Int(key.end)]).elementsEqual(name)
        }
    }
}
