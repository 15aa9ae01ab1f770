package import Errand

extension APIRequest {
    /// The most that is read of a body that comes as a stream: 64 MB.
    package static let sentBodyLimit = 64_000_000

    /// The request as a `URLProtocol` sees it, without the stub's own field and the transport's.
    ///
    /// A body is there as data or as a stream, as the platform likes. Streams are read where the request is answered.
    /// - Throws: `URLError` for a stream that fails or is longer than the limit.
    package init(sent request: URLRequest, limit: Int = sentBodyLimit) throws {
        var head = request
        // The stub's own field, and those with which Errand tells the platform how to frame an upload.
        for name in [StubRouter.field, "Content-Length", "Transfer-Encoding"] {
            head.setValue(nil, forHTTPHeaderField: name)
        }
        var body = request.httpBody
        if body == nil, let stream = request.httpBodyStream {
            body = try stream.readAll(limit: limit)
            head.httpBodyStream = nil
        }
        self.init(head: head, body: body.map { .data($0) } ?? .none)
    }
}

extension InputStream {
    /// All bytes up to a limit.
    fileprivate func readAll(limit: Int) throws -> Data {
        open()
        defer { close() }
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(&buffer, maxLength: buffer.count)
            if count == 0 { return result }
            guard count > 0 else { throw URLError.stub(.requestBodyStreamExhausted, "the request's stream failed") }
            guard count <= limit - result.count else {
                throw URLError.stub(.dataLengthExceedsMaximum, "the request's stream has more than \(limit) bytes")
            }
            result.append(contentsOf: buffer[..<count])
        }
    }
}
