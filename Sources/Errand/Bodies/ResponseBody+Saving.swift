import ErrandSupport

extension ResponseBody {
    /// Writes the body to a file while it arrives, and returns how many bytes it has.
    ///
    /// ```swift
    /// let size = try await response.body.save(to: folder.appending(path: "holiday.mov"))
    /// ```
    /// The bytes go into a hidden file beside the place, which this user alone can read, and which gets the final name when
    /// it is whole, in the place of a file that has it: nobody ever sees a part of a file under that name. Where it fails
    /// or is cancelled, the hidden file is removed. Nothing is forced to the disk.
    ///
    /// - Parameters:
    ///   - place: The file. Its folder must be there.
    ///   - limit: The most bytes that are taken; no limit but the disk by default.
    /// - Returns: How many bytes the body has.
    /// - Throws: ``ServiceError``: with ``ServiceError/Code/file`` where the file can't be written, with
    ///   ``ServiceError/Code/bodyTooLarge`` where there are more bytes than the limit, and what ends the stream.
    @concurrent
    @discardableResult
    public func save(to place: URL, upTo limit: Int64 = .max) async throws(ServiceError) -> Int64 {
        do {
            return try await write(to: place, limit)
        } catch let failure as FileFailure {
            throw ServiceError(.file, "the body can't be written to its file: \(failure)", underlying: failure.cause)
        } catch {
            throw ServiceError(wrapping: error, as: .file, "the body can't be written to its file")
        }
    }

    private func write(to place: URL, _ limit: Int64) async throws -> Int64 {
        guard place.isFileURL else { throw ServiceError(.file, "the place is not a file's address") }
        let file = try PartialFile(in: place.deletingLastPathComponent())
        var count: Int64 = 0
        for try await chunk in self {
            guard Int64(chunk.count) <= limit - count else { throw ServiceError.bodyTooLarge(Int(clamping: limit)) }
            try file.write(chunk)
            count += Int64(chunk.count)
        }
        try Task.checkCancellation()
        try file.move(to: place)
        return count
    }
}
