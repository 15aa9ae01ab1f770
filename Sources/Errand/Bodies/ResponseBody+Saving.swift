import ErrandSupport

extension ResponseBody {
    /// Writes the body to a file while it is received, and returns its size.
    ///
    /// ```swift
    /// let size = try await response.body.save(to: folder.appending(path: "holiday.mov"))
    /// ```
    /// The body is written to a hidden file in the same folder. Only the current user can read that file. When it is
    /// complete, the file gets its final name and replaces an existing file, so a partial file never has that name.
    /// After an error or a cancellation, the hidden file is removed. The file is not synchronized to the disk.
    ///
    /// - Parameters:
    ///   - url: The file URL. Its folder must exist.
    ///   - limit: The maximum number of bytes. The default is unlimited.
    /// - Returns: The number of bytes of the body.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file cannot be written, with
    ///   ``ServiceError/Code/bodyTooLarge`` if the body exceeds the limit, or the error that ended the stream.
    @concurrent
    @discardableResult
    public func save(to url: URL, upTo limit: Int64 = .max) async throws(ServiceError) -> Int64 {
        do {
            return try await write(to: url, limit)
        } catch let failure as FileFailure {
            throw ServiceError(.file, "the body can't be written to its file: \(failure)", underlying: failure.cause)
        } catch {
            throw ServiceError(wrapping: error, as: .file, "the body can't be written to its file")
        }
    }

    private func write(to url: URL, _ limit: Int64) async throws -> Int64 {
        guard url.isFileURL else { throw ServiceError(.file, "expected a file URL") }
        let file = try PartialFile(in: url.deletingLastPathComponent())
        var count: Int64 = 0
        for try await chunk in self {
            guard Int64(chunk.count) <= limit - count else { throw ServiceError.bodyTooLarge(Int(clamping: limit)) }
            try file.write(chunk)
            count += Int64(chunk.count)
        }
        try Task.checkCancellation()
        try file.move(to: url)
        return count
    }
}
