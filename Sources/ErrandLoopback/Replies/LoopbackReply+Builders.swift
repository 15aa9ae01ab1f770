public import Foundation

extension LoopbackReply {
    /// A response without a body.
    ///
    /// - Parameters:
    ///   - status: The status code. A 1xx status is sent unchanged, and the client keeps waiting for the final
    ///     response: see ``interim(_:_:)``.
    ///   - reason: The reason phrase. If `nil`, the registered phrase is sent.
    /// - Returns: A reply to return from a handler.
    public static func status(_ status: Int, reason: String? = nil) -> Self {
        .init(status: status, reason: reason)
    }

    /// A response with UTF-8 text of type `text/plain`.
    public static func text(_ text: String, status: Int = 200) -> Self {
        .data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// A response of type `application/json`. The text is sent unchanged.
    public static func json(_ text: String, status: Int = 200) -> Self {
        .json(Data(text.utf8), status: status)
    }

    /// A response of type `application/json`. The bytes are sent unchanged.
    public static func json(_ data: Data, status: Int = 200) -> Self {
        .data(data, type: "application/json", status: status)
    }

    /// A response with these bytes and their `Content-Length`. If the type is `nil`, no `Content-Type` is sent.
    public static func data(_ data: Data, type: String? = nil, status: Int = 200) -> Self {
        .init(status: status, headers: contentType(type), body: .data(data))
    }

    /// A chunked response with one chunk for each element. Empty elements are omitted.
    public static func chunks(
        _ chunks: [Data], type: String? = nil, trailers: [LoopbackHeader] = [], status: Int = 200
    ) -> Self {
        .init(status: status, headers: contentType(type), body: .chunks(chunks, trailers: trailers))
    }

    /// A response with a body that is produced while it is sent. Each write becomes one chunk.
    ///
    /// The closure runs in a separate task, which is cancelled when the connection ends. It does not run if the
    /// response must not have a body. If the closure throws, or writes less than the declared length, the server
    /// closes the connection in the middle of the body. A client that closes its sending side counts as disconnected.
    ///
    /// - Parameters:
    ///   - type: The `Content-Type`. If `nil`, none is sent.
    ///   - contentLength: The length of the body in bytes. If `nil`, the body is chunked.
    ///   - trailers: The trailer section of a chunked body.
    ///   - status: The status code.
    ///   - produce: Writes the body.
    /// - Returns: A reply to return from a handler.
    public static func stream(
        type: String? = nil, contentLength: Int? = nil, trailers: [LoopbackHeader] = [], status: Int = 200,
        _ produce: @escaping @Sendable (LoopbackWriter) async throws -> Void
    ) -> Self {
        let stream = Stream(
            contentLength: contentLength.map { max($0, 0) }, trailers: trailers, produce: produce)
        return .init(status: status, headers: contentType(type), body: .stream(stream))
    }

    /// A response that is created asynchronously, while the server continues to serve other connections.
    ///
    /// The closure runs in a separate task, which is cancelled when the connection ends. A client that closes its
    /// sending side counts as disconnected. The interim responses of this reply are sent at once. Its status, headers
    /// and faults do not apply to the reply that the closure returns.
    public static func later(_ make: @escaping @Sendable () async -> LoopbackReply) -> Self {
        .init(.later(make))
    }

    private static func contentType(_ type: String?) -> [LoopbackHeader] {
        type.map { [LoopbackHeader("Content-Type", $0)] } ?? []
    }
}

extension LoopbackReply {
    /// A copy of this reply with one more header after the existing ones.
    public func header(_ name: String, _ value: String) -> Self {
        var copy = self
        copy.headers.append(LoopbackHeader(name, value))
        return copy
    }

    /// A copy of this reply that sends `Connection: close` and then closes the connection.
    public func closingConnection() -> Self {
        var copy = self
        copy.closesConnection = true
        return copy
    }

    /// A copy of this reply with an interim response before it, such as 103 with `Link` headers. HTTP/1.0 clients get
    /// no interim responses.
    public func interim(_ status: Int, _ fields: [LoopbackHeader] = []) -> Self {
        var copy = self
        copy.interim.append(Interim(status: status, headers: fields))
        return copy
    }
}
