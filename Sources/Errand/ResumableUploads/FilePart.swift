/// The bytes of a part of a file, in chunks of 256 kB.
struct FilePart: AsyncSequence, Sendable {
    let file: URL
    let range: Range<Int64>

    /// Returns at most `count` bytes from an offset.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the file cannot be read.
    static func bytes(of file: URL, at offset: Int64, count: Int) throws(ServiceError) -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(clamping: offset))
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw unreadable(error)
        }
    }

    private static func unreadable(_ error: any Error) -> ServiceError {
        ServiceError(.encoding, "the body's file can't be read", underlying: error)
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let part: FilePart
        private var handle: FileHandle?
        private var offset: Int64

        fileprivate init(part: FilePart) {
            self.part = part
            offset = part.range.lowerBound
        }

        /// Returns the next chunk, or `nil` at the end of the part.
        mutating func next() async throws -> Data? {
            guard offset < part.range.upperBound else { return nil }
            do {
                let handle = try handle ?? open()
                let count = Int(Swift.min(part.range.upperBound - offset, 256 << 10))
                guard let chunk = try handle.read(upToCount: count), !chunk.isEmpty else { throw RegularFile.changed }
                offset += Int64(chunk.count)
                return chunk
            } catch let error as ServiceError {
                throw error
            } catch {
                throw FilePart.unreadable(error)
            }
        }

        private mutating func open() throws -> FileHandle {
            let opened = try FileHandle(forReadingFrom: part.file)
            try opened.seek(toOffset: UInt64(clamping: offset))
            handle = opened
            return opened
        }
    }
}
