import ErrandSupport

/// A file that is sent as a body, as it was when sending began.
package struct RegularFile: Sendable {
    package let url: URL
    /// How many bytes it had.
    package let size: Int64

    /// Looks at a file.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for what is missing, can't be read, or is no regular
    ///   file: a folder, a pipe or a device has no size that could be announced, and might never end.
    package init(_ url: URL) throws(ServiceError) {
        self.url = url
        size = try Self.size(of: url)
    }

    /// Makes sure that the file has the size that it had.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` where not, or where it is gone.
    package func checkUnchanged() throws(ServiceError) {
        guard (try? Self.size(of: url)) == size else {
            throw Self.changed
        }
    }

    package static var changed: ServiceError {
        ServiceError(.encoding, "the body's file changed while it was sent")
    }

    private static func size(of url: URL) throws(ServiceError) -> Int64 {
        guard url.isFileURL else { throw ServiceError(.encoding, "the body's file is not a file's address") }
        // A pipe without a writer would keep an ordinary opening waiting.
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = FileFailure(errno)
            throw ServiceError(.encoding, "the body's file can't be read: \(failure)", underlying: failure.cause)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ServiceError(.encoding, "the body's file is a folder, a pipe or a device, not a file")
        }
        return Int64(facts.st_size)
    }
}
