import ErrandSupport

extension MultipartBody {
    /// The value of the `Content-Type` header (RFC 7578, section 4.1), or `nil` if there is no valid boundary.
    var contentType: String? {
        guard let boundary, Self.isValid(boundary) else { return nil }
        let isPlain = boundary.utf8.allSatisfy(\.isTokenByte)
        return "multipart/form-data; boundary=\(isPlain ? boundary : "\"\(boundary)\"")"
    }

    /// Returns the delimiter and the header section of a part (RFC 7578, section 4.2, and RFC 2046, section 5.1).
    func head(of part: Part, _ boundary: String) -> Data {
        var head = Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8)
        head.append(contentsOf: Self.escaped(mode == .form ? Self.normalized(part.name) : Array(part.name.utf8)))
        head.append(contentsOf: "\"".utf8)
        if let fileName = part.fileName {
            head.append(contentsOf: "; filename=\"".utf8)
            head.append(contentsOf: Self.escaped(Array(fileName.utf8)))
            head.append(contentsOf: "\"".utf8)
        }
        if let type = part.contentType { head.append(contentsOf: "\r\nContent-Type: \(type)".utf8) }
        for field in part.headers { head.append(contentsOf: "\r\n\(field.name): \(field.value)".utf8) }
        head.append(contentsOf: "\r\n\r\n".utf8)
        return head
    }

    /// Returns the content of a part in the form in which it is sent.
    func body(of part: Part) -> RequestBody {
        guard mode == .form, part.fileName == nil, case .text(let text) = part.content else { return part.content.body }
        return .data(Data(Self.normalized(text)))
    }

    /// Returns the length of the content of a part, or `nil` if it is unknown. Texts are not copied.
    func length(of part: Part) throws(ServiceError) -> Int64? {
        guard case .text(let text) = part.content, mode == .data || part.fileName != nil else {
            return try body(of: part).length()
        }
        return Int64(text.utf8.count)
    }

    /// Returns the delimiter after the last part.
    static func end(_ boundary: String) -> Data { Data("--\(boundary)--\r\n".utf8) }

    /// The end of a part's content.
    static let lineBreak = Data("\r\n".utf8)

    /// Returns a name or a file name in the form in which it is quoted (HTML standard, section 4.10.21.8).
    private static func escaped(_ name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(name.count)
        for byte in name {
            switch byte {
            case UInt8(ascii: "\""): result += "%22".utf8
            case UInt8(ascii: "\r"): result += "%0D".utf8
            case UInt8(ascii: "\n"): result += "%0A".utf8
            default: result.append(byte)
            }
        }
        return result
    }

    /// Returns a text in UTF-8 with CRLF for each CRLF, CR and LF.
    static func normalized(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var previous: UInt8?
        for byte in text.utf8 {
            let endsPair = byte == UInt8(ascii: "\n") && previous == UInt8(ascii: "\r")
            previous = byte
            if byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") {
                result.append(byte)
            } else if !endsPair {
                result += "\r\n".utf8
            }
        }
        return result
    }
}
