#if os(Linux)
    import ErrandSupport

    extension UnsafeBufferPointer<UInt8> {
        /// Whether this line is empty, which ends a header section.
        var isEmptyLine: Bool {
            count == 1 && self[0] == UInt8(ascii: "\n")
                || count == 2 && self[0] == UInt8(ascii: "\r") && self[1] == UInt8(ascii: "\n")
        }

        /// The error of a status line with a version other than HTTP/1 (RFC 9112, section 2.3), or `nil`.
        ///
        /// libcurl believes a claim of HTTP/2. It then shares the connection, and 7.76 treats the body as empty.
        var versionFlaw: ServiceError? {
            guard starts(with: "HTTP/".utf8), !starts(with: "HTTP/1.".utf8) else { return nil }
            let found = String(decoding: prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
            return ServiceError(
                .badResponse,
                "invalid status line: expected HTTP/1.0 or HTTP/1.1, found \(found.singleLine(limit: 20))")
        }
    }
#endif
