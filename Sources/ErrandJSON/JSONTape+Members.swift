import ErrandSupport
import Foundation

extension JSONTape {
    /// The limits up to which a linear search through the keys is faster than a hash table.
    ///
    /// The number of members is checked only if two keys may be equal. Otherwise, an object has at most 64 members.
    static let maximumWithoutIndex = (members: 48 as UInt32, bytes: 4_096 as UInt32)

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
    func key(_ name: inout String, of object: Int, from start: Int) -> Int? {
        let end = Int(nodes[object].next)
        if let index = name.withUTF8({ key($0, in: start..<end) ?? key($0, in: object + 1..<start) }) {
            return index
        }
        // The keys are ASCII, but a few other characters are canonically equivalent to an ASCII character.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }), !hasTooManyMarks || !name.hasTooManyMarks else { return nil }
        return key(in: object + 1..<end) { text($0) == name }
    }

    /// Whether comparing bytes could be slow, or could find another member than Foundation's decoder does.
    ///
    /// Foundation's decoder uses a dictionary. Canonically equivalent keys are the same key, and the first of two
    /// members counts.
    func needsIndex(of object: Int) -> Bool {
        guard nodes[object].kind == .uncheckedObject else { return false }
        guard nodes[object].end <= Self.maximumWithoutIndex.members else { return true }
        let keys = object + 1..<Int(nodes[object].next)
        return bytes.withUnsafeBufferPointer { bytes in
            var check = KeyIndexCheck()
            let reason = key(in: keys) { index in
                let key = nodes[index]
                let mayRepeat = check.include(key, in: bytes)
                if check.needsIndex { return true }
                guard mayRepeat else { return false }
                let name = UnsafeBufferPointer(rebasing: bytes[Int(key.start)..<Int(key.end)])
                return self.key(name, in: keys.lowerBound..<index) != nil
            }
            return reason != nil
        }
    }

    /// Returns the index of the first key with the given bytes.
    private func key(_ name: UnsafeBufferPointer<UInt8>, in keys: Range<Int>) -> Int? {
        key(in: keys) { isKey(nodes[$0], name) }
    }

    /// Returns the index of the first key for which `isKey` is true.
    @inline(__always)
    func key(in keys: Range<Int>, where isKey: (Int) -> Bool) -> Int? {
        var index = keys.lowerBound
        while index < keys.upperBound {
            if isKey(index) { return index }
            index = Int(nodes[index + 1].next)
        }
        return nil
    }

    private func isKey(_ key: Node, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard Int(key.end - key.start) == name.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            // `baseAddress` is `nil` only if the name is empty. The key is then empty too, because the lengths are equal.
            guard let text = bytes.baseAddress, let name = name.baseAddress else { return true }
            return memcmp(text + Int(key.start), name, Int(key.end - key.start)) == 0
        }
    }
}

/// Collects, from the keys of an object in the order of the text, whether it needs or may need a ``JSONKeyIndex``.
struct KeyIndexCheck {
    private var hashBits: UInt64 = 0
    private var length: UInt32 = 0
    /// Whether a key is wide, or the keys are too long for a linear search. This alone requires an index.
    private(set) var needsIndex = false
    /// Whether two keys may be equal. Always `true` for more than 64 keys, because there are only 64 bits.
    private(set) var mayHaveEqualKeys = false

    /// Includes the next key, and returns whether an earlier key may be equal to it.
    @inline(__always) @discardableResult
    mutating func include(_ key: JSONTape.Node, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let bit = key.hashBit(in: bytes)
        defer { hashBits |= bit }
        length &+= key.end - key.start
        if key.kind == .wideKey || length > JSONTape.maximumWithoutIndex.bytes { needsIndex = true }
        guard hashBits & bit != 0 else { return false }
        mayHaveEqualKeys = true
        return true
    }
}

extension JSONTape.Node {
    /// A mask with a single bit. Equal keys have the same bit.
    @inline(__always)
    fileprivate func hashBit(in bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard end > start else { return 1 }
        let ends = UInt32(bytes[Int(start)]) &* 7 &+ UInt32(bytes[Int(end) - 1]) &* 31
        return 1 << UInt64((ends &+ (end - start)) & 63)
    }
}
