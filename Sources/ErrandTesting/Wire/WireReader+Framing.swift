import Errand

/// Finds the end of a body, rule by rule (RFC 9112, section 6.3).
extension WireReader {
    mutating func content(of head: Head) throws(WireFlaw) -> [UInt8] {
        if isHead || head.status == 204 || head.status == 304 { return [] }
        let framed = try transferred(head)
        return try decoded(framed, head.list("content-encoding") ?? [])
    }

    private mutating func transferred(_ head: Head) throws(WireFlaw) -> [UInt8] {
        let lengths = head.list("content-length")
        if let codings = head.list("transfer-encoding")?.filter({ !$0.isEmpty }) {
            if head.minorVersion == 0 { freedoms.insert(.codingIn10) }
            if codings.isEmpty { freedoms.insert(.emptyCoding) }
            if !codings.isEmpty || !choice.emptyCodingIsNone {
                if lengths != nil { freedoms.insert(.lengthBesideCoding) }
                return try transferred(by: codings)
            }
        }
        guard let lengths else { return try rest() }
        return try fixed(lengths)
    }

    private mutating func transferred(by codings: [[UInt8]]) throws(WireFlaw) -> [UInt8] {
        var names = codings.map { coding in
            coding.prefix { $0 != 0x3B }.trimmedOfBlanks.lowercasedText
        }
        if codings.contains(where: { $0.contains(0x3B) }) { freedoms.insert(.oddCoding) }
        for name in names where !["chunked", "gzip", "x-gzip", "deflate", "identity"].contains(name) {
            throw WireFlaw("the transfer coding is unknown")
        }
        // `identity` comes from RFC 2616 and never had an effect.
        if names.contains("identity") { freedoms.insert(.oddCoding) }
        names.removeAll { $0 == "identity" }
        var body: [UInt8]
        if names.last == "chunked" {
            names.removeLast()
            body = try chunked()
        } else {
            body = try rest()
        }
        if names.contains("chunked") { freedoms.insert(.oddCoding) }
        for name in names.reversed() where name != "chunked" { body = try Self.decode(body, name, &freedoms) }
        return body
    }

    private mutating func fixed(_ lengths: [[UInt8]]) throws(WireFlaw) -> [UInt8] {
        if lengths.count > 1 { freedoms.insert(.repeatedLength) }
        let values = Set(lengths.map(\.decimalValue))
        guard values.count == 1, let value = values.first, let length = value else {
            throw WireFlaw("Content-Length is invalid, or its values differ")
        }
        guard length <= bytes.count - position else { throw WireFlaw("the body is shorter than its Content-Length") }
        defer { position += length }
        return Array(bytes[position..<position + length])
    }

    /// Returns all bytes until the connection ends, which must be an orderly close.
    private mutating func rest() throws(WireFlaw) -> [UInt8] {
        guard endsInOrder else { throw WireFlaw("a reset ended a body without a declared length") }
        endsByItself = false
        defer { position = bytes.count }
        return Array(bytes[position...])
    }
}

/// Decodes the chunked coding (RFC 9112, section 7.1).
extension WireReader {
    private mutating func chunked() throws(WireFlaw) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = try chunkSize()
            if size == 0 { break }
            guard size <= bytes.count - position else { throw WireFlaw("the connection ended in a chunk") }
            body += bytes[position..<position + size]
            position += size
            try skipChunkEnd()
        }
        skipTrailers()
        return body
    }

    private mutating func chunkSize() throws(WireFlaw) -> Int {
        guard bytes[position...].contains(0x0A) else {
            // Only the last chunk can start like this, and the body before it is complete.
            if bytes[position...] == [0x30, 0x0D] {
                freedoms.insert(.trailers)
                position = bytes.count
                return 0
            }
            throw WireFlaw("the connection ended before the last chunk")
        }
        let line = try line("a chunk")
        let digits = line.prefix { $0.hexDigit != nil }
        guard let size = digits.hexValue else { throw WireFlaw("a chunk has no size") }
        let rest = line.dropFirst(digits.count)
        if !rest.isEmpty, !Self.isExtension(rest) { freedoms.insert(.chunkLine) }
        return size
    }

    /// Whether the bytes are a chunk extension, such as `;name=value`. A quoted value is not parsed.
    private static func isExtension(_ bytes: ArraySlice<UInt8>) -> Bool {
        let body = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        guard body.first == 0x3B, !body.holdsControls else { return false }
        let name = body.dropFirst().trimmedOfBlanks.prefix { $0 != 0x3D && $0 != 0x3B && $0 != 0x20 }
        return name.isWireToken
    }

    private mutating func skipChunkEnd() throws(WireFlaw) {
        let returns = bytes[position...].prefix { $0 == 0x0D }.count
        guard bytes[position...].dropFirst(returns).first == 0x0A else {
            throw WireFlaw("a chunk is not followed by a line ending")
        }
        if returns != 1 { freedoms.insert(.chunkLine) }
        position += returns + 1
    }

    /// Skips the trailers. The body is complete before them (RFC 9112, section 8), so they cannot change it.
    private mutating func skipTrailers() {
        while let line = try? line("the trailers") {
            if line.isEmpty { return }
            let name = line.prefix { $0 != 0x3A }
            if name.count == line.count || !name.isWireToken || line.holdsControls {
                freedoms.insert(.trailers)
            }
        }
        freedoms.insert(.trailers)
        position = bytes.count
    }
}
