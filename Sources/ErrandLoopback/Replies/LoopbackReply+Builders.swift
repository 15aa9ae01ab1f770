public import Foundation

extension LoopbackReply {
    /// A reply without a body.
    ///
    /// - Parameters:
    ///   - status: The status code. A 1xx status is sent as it is and leaves the client waiting: see
    ///     ``interim(_:_:)``.
    ///   - reason: The reason phrase; `nil` sends the registered one.
    /// - Returns: A reply to return from a handler.
    public static func status(_ status: Int, reason: String? = nil) -> Self {
        .init(status: status, reason: reason)
    }

    /// A reply with UTF-8 text of type `text/plain`.
    public static func text(_ text: String, status: Int = 200) -> Self {
        .data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// A reply of type `application/json`; the text is sent as it is.
    public static func json(_ text: String, status: Int = 200) -> Self {
        .json(Data(text.utf8), status: status)
    }

    /// A reply of type `application/json`; the bytes are sent as they are.
    public static func json(_ data: Data, status: Int = 200) -> Self {
        .data(data, type: "application/json", status: status)
    }

    /// A reply with these bytes and their `Content-Length`; `nil` as the type sends no `Content-Type`.
    public static func data(_ data: Data, type: String? = nil, status: Int = 200) -> Self {
        .init(status: status, fields: contentType(type), body: .data(data))
    }

    /// A chunked reply, one chunk for each element; empty elements are left out.
    public static func chunks(
        _ chunks: [Data], type: String? = nil, trailers: [LoopbackField] = [], status: Int = 200
    ) -> Self {
        .init(status: status, fields: contentType(type), body: .chunks(chunks, trailers: trailers))
    }

    /// A reply whose body is written while it is sent; each write becomes one chunk.
    ///
    /// The closure runs in a task of its own, which is cancelled when the connection ends; it does not run for a
    /// reply that may not carry a body. When it throws, or writes less than it declared, the connection is closed in
    /// the middle of the body. A client that stops sending counts as gone.
    ///
    /// - Parameters:
    ///   - type: The `Content-Type`; none when `nil`.
    ///   - contentLength: The length of the body in bytes; `nil` sends it chunked.
    ///   - trailers: The fields after a chunked body.
    ///   - status: The status code.
    ///   - produce: Writes the body.
    /// - Returns: A reply to return from a handler.
    public static func stream(
        type: String? = nil, contentLength: Int? = nil, trailers: [LoopbackField] = [], status: Int = 200,
        _ produce: @escaping @Sendable (LoopbackWriter) async throws -> Void
    ) -> Self {
        let stream = Stream(
            contentLength: contentLength.map { max($0, 0) }, trailers: trailers, produce: produce)
        return .init(status: status, fields: contentType(type), body: .stream(stream))
    }

    /// A reply that is made by asynchronous code, while the server goes on with other connections.
    ///
    /// The closure runs in a task of its own, which is cancelled when the connection ends; a client that stops
    /// sending counts as gone. Interim replies of this reply are sent at once; its status, fields and faults do not
    /// apply to the reply that the closure returns.
    public static func later(_ make: @escaping @Sendable () async -> LoopbackReply) -> Self {
        .init(.later(make))
    }

    private static func contentType(_ type: String?) -> [LoopbackField] {
        type.map { [LoopbackField("Content-Type", $0)] } ?? []
    }
}

extension LoopbackReply {
    /// This reply with one more field, after those that it has.
    public func field(_ name: String, _ value: String) -> Self {
        var copy = self
        copy.fields.append(LoopbackField(name, value))
        return copy
    }

    /// This reply with `Connection: close`, and with the connection closed after it.
    public func closingConnection() -> Self {
        var copy = self
        copy.closesConnection = true
        return copy
    }

    /// This reply with an interim one before it, such as 103 with `Link` fields; HTTP/1.0 clients get none.
    public func interim(_ status: Int, _ fields: [LoopbackField] = []) -> Self {
        var copy = self
        copy.interim.append(Interim(status: status, fields: fields))
        return copy
    }
}
