import ErrandSupport

/// The SHA-256 hash of a file that is being written from its start to its end.
struct DownloadHash: Sendable {
    private static let step = 1 << 18

    private var hash = SHA256()
    /// The number of bytes that are hashed.
    private var count: Int64 = 0

    /// Adds bytes that were written at an offset. They must follow the hashed ones.
    mutating func add(_ bytes: Data, at offset: Int64) {
        guard offset == count else { return }
        hash.update(bytes)
        count += Int64(bytes.count)
    }

    /// Reads the file up to an offset, so that exactly its bytes before the offset are hashed.
    ///
    /// - Throws: ``ServiceError`` if the file cannot be read, if the deadline passes or if the task is cancelled.
    mutating func catchUp(with files: DownloadFiles, to end: Int64, _ deadline: Deadline?) async throws(ServiceError) {
        if count > end { self = DownloadHash() }
        while count < end {
            if let deadline { try deadline.check() } else { try ServiceError.checkCancellation() }
            do throws(FileFailure) {
                let bytes = try files.read(at: count, count: Int(min(Int64(Self.step), end - count)))
                guard !bytes.isEmpty else { throw FileFailure(EIO) }
                hash.update(bytes)
                count += Int64(bytes.count)
            } catch {
                throw .file(error)
            }
            await Task.yield()
        }
    }

    /// Returns the hash of the bytes.
    func digest() -> FileDigest {
        var hash = hash
        return FileDigest(hash: hash.finish())
    }
}
