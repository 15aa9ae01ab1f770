/// The key strategy `convertFromSnakeCase` of `JSONDecoder`: `image_url` becomes `imageUrl`.
enum SnakeCase {
    /// Converts an ASCII key in place, as Foundation does.
    ///
    /// Underscores at both ends remain. A key without any other underscore is not changed. Otherwise, the first word is
    /// written in lowercase letters, and the others are capitalized.
    /// - Returns: The new length, or `nil` if Foundation must convert the key: it has a letter after a digit, or a character
    ///   other than letters, digits and underscores.
    static func convert(_ key: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        let underscore = UInt8(ascii: "_")
        guard let first = key.firstIndex(where: { $0 != underscore }),
            let last = key.lastIndex(where: { $0 != underscore }), key[first...last].contains(underscore)
        else { return key.count }
        var count = first
        var isFirstWord = true
        var previous = underscore
        for index in first...last {
            let byte = key[index]
            defer { previous = byte }
            if byte == underscore {
                isFirstWord = false
                continue
            }
            let isDigit = byte &- 0x30 < 10
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            guard isDigit || isLetter && previous &- 0x30 >= 10 else { return nil }
            let isCapital = !isFirstWord && previous == underscore
            key[count] = isDigit ? byte : isCapital ? byte & ~0x20 : byte | 0x20
            count += 1
        }
        for _ in last + 1..<key.count {
            key[count] = underscore
            count += 1
        }
        return count
    }
}
