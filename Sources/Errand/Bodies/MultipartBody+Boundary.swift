import ErrandSupport

extension MultipartBody {
    /// The maximum number of bytes of each part that are compared with a random boundary: 64 kB.
    static let searchLimit = 65_536
    /// The maximum number of random boundaries that are compared with the parts.
    private static let maximumDraws = 4

    /// Returns the body with a boundary from a random source. A boundary that is already set is kept.
    ///
    /// The boundary has 128 random bits, so a server's or a user's file cannot contain it by accident or on purpose. A
    /// random source of a test can repeat itself. If all draws occur in the parts, a number is appended.
    func withBoundary(from random: any RandomSource) -> MultipartBody {
        guard boundary == nil else { return self }
        var drawn: [UInt8] = []
        for _ in 0..<Self.maximumDraws {
            drawn = Array("errand-\(random.bytes(16).hexadecimal)".utf8)
            if !contains(drawn, upTo: Self.searchLimit) { return with(drawn) }
        }
        return with(drawn + unusedSuffix(after: drawn))
    }

    private func with(_ boundary: [UInt8]) -> MultipartBody {
        MultipartBody(parts, mode: mode, boundary: String(decoding: boundary, as: UTF8.self), isRandom: true)
    }

    /// Returns the first of the suffixes `-0000` to `-9999` that does not follow a text in the parts.
    private func unusedSuffix(after text: [UInt8]) -> [UInt8] {
        var used: Set<[UInt8]> = []
        forEachText(upTo: Self.searchLimit) { bytes in
            var position = 0
            while let found = bytes.firstIndex(of: text, from: position) {
                position = found + text.count
                used.insert(Array(bytes[position...].prefix(5)))
            }
            return true
        }
        let suffixes = (0..<10_000).lazy.map { number in
            let digits = String(number)
            return Array("-\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
        return suffixes.first { !used.contains($0) } ?? []
    }

    /// Whether the parts in memory contain a delimiter with a boundary (RFC 2046, section 5.1.1).
    ///
    /// A random boundary cannot be predicted, so only the start of each part is searched for it. A fixed one can be
    /// predicted, and content that was made for it could forge further parts.
    func containsDelimiter(_ boundary: String) -> Bool {
        contains(Array("--\(boundary)".utf8), upTo: isRandom ? Self.searchLimit : .max)
    }

    private func contains(_ pattern: [UInt8], upTo limit: Int) -> Bool {
        var isFound = false
        forEachText(upTo: limit) { bytes in
            isFound = bytes.firstIndex(of: pattern, from: 0) != nil
            return !isFound
        }
        return isFound
    }

    /// Passes the headers and the content of each part in memory to a function until it returns `false`.
    private func forEachText(upTo limit: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        for part in parts {
            let fields = part.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            guard fields.isEmpty || Array(fields.utf8).withUnsafeBytes(body) else { return }
            let goesOn =
                switch part.content {
                case .text(let text): Array(text.utf8.prefix(limit)).withUnsafeBytes(body)
                case .data(let data): data.prefix(limit).withUnsafeBytes(body)
                case .file, .stream: true
                }
            guard goesOn else { return }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the index of the first occurrence of a pattern at or after a position. Its time is linear, because
    /// patterns are short.
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, let base = baseAddress else { return nil }
        var position = start
        while position + pattern.count <= count {
            let rest = count - pattern.count + 1 - position
            guard let found = memchr(base + position, Int32(first), rest) else { return nil }
            position = UnsafeRawPointer(found) - base
            if memcmp(base + position, pattern, pattern.count) == 0 { return position }
            position += 1
        }
        return nil
    }
}
