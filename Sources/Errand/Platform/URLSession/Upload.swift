import ErrandSupport

/// The folder for temporary copies of streamed request bodies. The default is the system's temporary folder.
package enum SpoolFolder: RequestOptionKey {
    package static var defaultValue: URL { FileManager.default.temporaryDirectory }
}

/// A request's body as a file, for the platform's upload tasks.
struct Upload: Sendable {
    let file: RegularFile
    /// The copy of a stream or a multipart body, or `nil` if the file is the caller's.
    let spool: PartialFile?

    /// Creates an upload. Returns `nil` if the request has no body, or its body is in memory.
    ///
    /// A stream, or a multipart body with streams or files, is first written to a temporary file, because the platform's own streams have no length and can wait
    /// for bytes only by blocking a thread.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``, or `CancellationError`.
    init?(of request: APIRequest) async throws {
        if case .file(let url) = request.body {
            file = try RegularFile(url)
            spool = nil
            return
        }
        guard let spool = try await Self.spool(of: request) else { return nil }
        file = try RegularFile(spool.url)
        self.spool = spool
    }

    private static func spool(of request: APIRequest) async throws -> PartialFile? {
        switch request.body {
        case .stream(let stream): try await stream.spooled(in: request.options[SpoolFolder.self])
        case .multipart(let body) where !body.isInMemory: try await body.spooled(in: request.options[SpoolFolder.self])
        case .none, .data, .file, .multipart: nil
        }
    }

    /// Checks that the caller's file has not changed since its size was announced.
    func checkUnchanged() throws(ServiceError) {
        if spool == nil { try file.checkUnchanged() }
    }
}
