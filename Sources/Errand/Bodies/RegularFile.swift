import ErrandSupport

/// A file that is sent as a body, with its size at the start of sending.
package struct RegularFile: Sendable {
    package let url: URL
    /// The size in bytes when the value was created.
    package let size: Int64

    /// Gets the size of a file.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the file is missing, cannot be read, or is
    ///   not a regular file. A folder, a pipe or a device has no size to send in advance, and might never end.
    package init(_ url: URL) throws(ServiceError) {
        self.url = url
        size = try Self.size(of: url)
    }

    /// Checks that the file still has the same size.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the size has changed or the file was removed.
    package func checkUnchanged() throws(ServiceError) {
        guard (try? Self.size(of: url)) == size else {
            throw Self.changed
        }
    }

    package static var changed: ServiceError {
        ServiceError(.encoding, "the body's file changed while it was sent")
    }

    private static func size(of url: URL) throws(ServiceError) -> Int64 {
        guard url.isFileURL else { throw ServiceError(.encoding, "expected a file URL as the body") }
        // Without `O_NONBLOCK`, `open` waits for the writer of a pipe.
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = FileFailure(errno)
            throw ServiceError(.encoding, "the body's file can't be read: \(failure)", underlying: failure.cause)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ServiceError(.encoding, "expected a regular file as the body, found a folder, a pipe or a device")
        }
        return Int64(facts.st_size)
    }
}
