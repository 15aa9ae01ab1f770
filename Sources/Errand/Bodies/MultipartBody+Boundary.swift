import ErrandSupport

extension MultipartBody {
    /// The maximum number of bytes that are searched for the boundary: 64 kB.
    static let searchLimit = 65_536
    /// The maximum number of random boundaries that are compared with the parts.
    private static let maximumDraws = 4

    /// Returns the body with a boundary from a random source. A boundary that is already set is kept.
    ///
    /// The boundary has 128 random bits, so a server's or a user's file cannot contain it by accident or on purpose. A
    /// random source of a test can repeat itself. If all draws occur in the parts, a number is appended.
    func withBoundary(from random: any RandomSource) -> MultipartBody {
        guard boundary == nil else { return self }
        let material = searchedBytes
        var drawn: [UInt8] = []
        for _ in 0..<Self.maximumDraws {
            drawn = Array("errand-\(random.bytes(16).hexadecimal)".utf8)
            if material.firstIndex(of: drawn, from: 0) == nil { return with(drawn) }
        }
        return with(drawn + Self.unusedSuffix(after: drawn, in: material))
    }

    private func with(_ boundary: [UInt8]) -> MultipartBody {
        MultipartBody(parts, mode: mode, boundary: String(decoding: boundary, as: UTF8.self))
    }

    /// Returns the first of the suffixes `-0000` to `-9999` that does not follow a text. The searched bytes cannot
    /// contain all of them, because each needs a copy of the text.
    private static func unusedSuffix(after text: [UInt8], in material: [UInt8]) -> [UInt8] {
        var used: Set<[UInt8]> = []
        var position = 0
        while let found = material.firstIndex(of: text, from: position) {
            position = found + text.count
            used.insert(Array(material[position...].prefix(5)))
        }
        let suffixes = (0..<10_000).lazy.map { number in
            let digits = String(number)
            return Array("-\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
        return suffixes.first { !used.contains($0) } ?? []
    }

    /// Whether the parts contain a delimiter with a boundary (RFC 2046, section 5.1.1).
    func containsDelimiter(_ boundary: String) -> Bool {
        searchedBytes.firstIndex(of: Array("--\(boundary)".utf8), from: 0) != nil
    }

    /// The headers and contents of the parts in memory, up to ``searchLimit`` bytes in all.
    private var searchedBytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            for field in part.headers { bytes.append(field.name, upTo: Self.searchLimit) }
            switch part.content {
            case .text(let text): bytes.append(text, upTo: Self.searchLimit)
            case .data(let data): bytes += data.prefix(max(0, Self.searchLimit - bytes.count))
            case .file, .stream: break
            }
            // Two parts do not form a boundary together.
            bytes.append(UInt8(ascii: "\n"))
            guard bytes.count < Self.searchLimit else { break }
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: String, upTo limit: Int) {
        append(contentsOf: text.utf8.prefix(Swift.max(0, limit - count)))
        append(UInt8(ascii: "\n"))
    }

    /// Returns the index of the first occurrence of a pattern at or after a position. Its time is linear, because
    /// patterns are short.
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var position = start
            while position + pattern.count <= bytes.count {
                let rest = bytes.count - pattern.count + 1 - position
                guard let found = memchr(base + position, Int32(first), rest) else { return nil }
                position = UnsafeRawPointer(found) - base
                if memcmp(base + position, pattern, pattern.count) == 0 { return position }
                position += 1
            }
            return nil
        }
    }
}
