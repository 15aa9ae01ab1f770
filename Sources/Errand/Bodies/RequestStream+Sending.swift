import ErrandSupport

extension RequestBody.Stream {
    /// Opens the source at the first byte, and checks its length.
    ///
    /// The returned closure throws ``ServiceError`` with ``ServiceError/Code/encoding`` if the source fails, with its
    /// error as the cause, or if it has more or fewer bytes than ``length``. It also throws `CancellationError`.
    package func makeCheckedParts() throws(ServiceError) -> Parts {
        let parts = try makeParts()
        var count: Int64 = 0
        return { [length] in
            let part = try await Self.next(parts)
            count += Int64(part?.count ?? 0)
            guard let length else { return part }
            if count > length || part == nil && count < length {
                let amount = count > length ? "more" : "only \(count)"
                throw ServiceError(.encoding, "expected \(length) bytes from the body's source, found \(amount)")
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

    /// Writes the complete stream to a private temporary file, chunk by chunk.
    ///
    /// The size is limited only by the disk, because the source belongs to the caller and is trusted.
    /// - Throws: The errors of ``makeCheckedParts()``, or ``ServiceError/Code/encoding`` if the file cannot be written.
    package func spooled(in folder: URL) async throws -> PartialFile {
        try await PartialFile.spooling(try makeCheckedParts(), in: folder)
    }
}

extension MultipartBody {
    /// Writes the complete body to a private temporary file, chunk by chunk.
    /// - Throws: The errors of its parts, or ``ServiceError/Code/encoding`` if the file cannot be written.
    package func spooled(in folder: URL) async throws -> PartialFile {
        try await PartialFile.spooling(try makeParts(), in: folder)
    }
}

extension PartialFile {
    fileprivate static func spooling(
        _ parts: RequestBody.Stream.Parts, in folder: URL
    ) async throws -> PartialFile {
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
