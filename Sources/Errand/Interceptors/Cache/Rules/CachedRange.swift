import ErrandSupport

/// A part of a stored body that a request asks for (RFC 9110, section 14.2).
enum CachedRange {
    /// Returns the bytes of a `Range` header, or `nil` if the header has several ranges, another unit or no bytes of the
    /// body. Such a request is sent.
    static func range(_ header: String, of size: Int) -> Range<Int>? {
        let value = header.lowercased().trimmed(.whitespaces)
        guard value.hasPrefix("bytes="), !value.contains(","), size > 0 else { return nil }
        let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmed(.whitespaces) }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return nil }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]), count > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let first = Int(ends[0]), first < size else { return nil }
        guard !ends[1].isEmpty else { return first..<size }
        guard let last = Int(ends[1]), first <= last else { return nil }
        return first..<(min(last, size - 1) + 1)
    }

    /// Returns a response with a part of a stored body (section 15.3.7).
    static func response(_ range: Range<Int>, of body: ResponseBody, _ size: Int, _ head: ResponseHead) -> APIResponse {
        var headers = head.headers
        headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        headers["Content-Length"] = "\(range.count)"
        return APIResponse(
            head: ResponseHead(status: 206, headers: headers, url: head.url), body: part(range, of: body))
    }

    private static func part(_ range: Range<Int>, of body: ResponseBody) -> ResponseBody {
        if let data = body.data {
            return ResponseBody(Data(data.dropFirst(range.lowerBound).prefix(range.count)))
        }
        return ResponseBody(
            BodyStream {
                var iterator = body.makeAsyncIterator()
                var (skipped, rest) = (range.lowerBound, range.count)
                return {
                    while rest > 0, let chunk = try await iterator.next(isolation: #isolation) {
                        let part = Data(chunk.dropFirst(skipped).prefix(rest))
                        skipped = max(0, skipped - chunk.count)
                        rest -= part.count
                        if !part.isEmpty { return part }
                    }
                    return nil
                }
            })
    }
}
