package import Errand

extension APIRequest {
    /// The maximum size of a streamed body that is read: 64 MB.
    package static let sentBodyLimit = 64_000_000

    /// Creates a request from the one that a `URLProtocol` gets, without the headers of the stub and of the transport.
    ///
    /// Depending on the platform, the body is data or a stream. A stream is read completely.
    /// - Throws: `URLError` if the stream fails or is longer than the limit.
    package init(sent request: URLRequest, limit: Int = sentBodyLimit) throws {
        var head = request
        // The stub's routing header, and the headers that Errand sets so that the platform frames an upload.
        for name in [StubRouter.header, "Content-Length", "Transfer-Encoding"] {
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
    /// Reads all bytes up to a limit.
    fileprivate func readAll(limit: Int) throws -> Data {
        open()
        defer { close() }
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(&buffer, maxLength: buffer.count)
            if count == 0 { return result }
            guard count > 0 else {
                throw URLError.stub(.requestBodyStreamExhausted, "cannot read the request's body stream")
            }
            guard count <= limit - result.count else {
                throw URLError.stub(.dataLengthExceedsMaximum, "expected a body stream of at most \(limit) bytes")
            }
            result.append(contentsOf: buffer[..<count])
        }
    }
}
