import ErrandSupport

extension RequestBody.Stream {
    /// Starts from the first byte, and holds the source to what it announced.
    ///
    /// What it gives throws ``ServiceError`` with ``ServiceError/Code/encoding`` where the source fails, with its error as
    /// the cause, or gives more or fewer bytes than ``length``; and `CancellationError`.
    package func makeCheckedParts() throws(ServiceError) -> Parts {
        let parts = try makeParts()
        var count: Int64 = 0
        return { [length] in
            let part = try await Self.next(parts)
            count += Int64(part?.count ?? 0)
            guard let length else { return part }
            if count > length || part == nil && count < length {
                let amount = count > length ? "more" : "only \(count)"
                throw ServiceError(.encoding, "the body's source announced \(length) bytes and gave \(amount)")
            }
            return part
        }
    }

    private nonisolated(nonsending) static func next(_ parts: Parts) async throws -> Data? {
        do {
            return try await parts()
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw ServiceError(
                .encoding, "the body's source failed (\(ServiceError.kind(of: error)))", underlying: error)
        }
    }

    /// Writes all of it to a private file, part by part.
    ///
    /// How much that may be is for the disk to say: the caller's own source is no stranger.
    /// - Throws: As ``makeCheckedParts()``; ``ServiceError/Code/encoding`` also where the file can't be written.
    package func spooled(in folder: URL) async throws -> PartialFile {
        let parts = try makeCheckedParts()
        do {
            let file = try PartialFile(in: folder)
            while let part = try await parts() {
                try Task.checkCancellation()
                try file.write(part)
            }
            try file.close()
            return file
        } catch let failure as FileFailure {
            let reason = "the body can't be written to a temporary file: \(failure)"
            throw ServiceError(.encoding, reason, underlying: failure.cause)
        }
    }
}
