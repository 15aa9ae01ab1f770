import ErrandSupport

/// Where the platform writes what a stream gives before it is sent; the folder for temporary files by default.
package enum SpoolFolder: RequestOptionKey {
    package static var defaultValue: URL { FileManager.default.temporaryDirectory }
}

/// A request's body as a file, for the platform's upload tasks.
struct Upload: Sendable {
    let file: RegularFile
    /// The file that a stream was written to; nil where the file is somebody else's.
    let spool: PartialFile?

    /// The file that a request's body is in; nil where the body is none or in memory.
    ///
    /// A stream is written to a file of its own first: the platform's own streams have no length, and it can't be told to
    /// wait for bytes without a thread that waits for it.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``, or `CancellationError`.
    init?(of request: APIRequest) async throws {
        switch request.body {
        case .none, .data: return nil
        case .file(let url):
            file = try RegularFile(url)
            spool = nil
        case .stream(let stream):
            let spool = try await stream.spooled(in: request.options[SpoolFolder.self])
            file = try RegularFile(spool.url)
            self.spool = spool
        }
    }

    /// Makes sure that what was announced is what was there to be sent.
    func checkUnchanged() throws(ServiceError) {
        if spool == nil { try file.checkUnchanged() }
    }
}
