import ErrandSupport

/// A file that is sent as a body, with its size at the start of sending.
package struct RegularFile: Sendable {
    /// The number of bytes that are read with one system call: 256 kB.
    static var chunkLength: Int { 256 << 10 }

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

    /// Opens the file for reading.
    func open() throws(ServiceError) -> OpenFile {
        do throws(FileFailure) { return try OpenFile(reading: url) } catch { throw Self.unreadable(error) }
    }

    package static var changed: ServiceError {
        ServiceError(.encoding, "the body's file changed while it was sent")
    }

    static func unreadable(_ failure: FileFailure) -> ServiceError {
        ServiceError(.encoding, "the body's file can't be read: \(failure)", underlying: failure.cause)
    }

    private static func size(of url: URL) throws(ServiceError) -> Int64 {
        guard url.isFileURL else { throw ServiceError(.encoding, "expected a file URL as the body") }
        let file: OpenFile
        do throws(FileFailure) { file = try OpenFile(reading: url) } catch { throw unreadable(error) }
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ServiceError(.encoding, "expected a regular file as the body, found a folder, a pipe or a device")
        }
        return Int64(facts.st_size)
    }
}
