/// The bytes of a part of a file, in chunks of 256 kB.
struct FilePart: AsyncSequence, Sendable {
    let file: URL
    let range: Range<Int64>

    /// Returns at most `count` bytes from an offset.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the file cannot be read.
    static func bytes(of file: URL, at offset: Int64, count: Int) throws(ServiceError) -> Data {
        do throws(FileFailure) {
            return try OpenFile(reading: file).read(at: offset, count: count)
        } catch {
            throw RegularFile.unreadable(error)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let part: FilePart
        private var file: OpenFile?
        private var offset: Int64

        fileprivate init(part: FilePart) {
            self.part = part
            offset = part.range.lowerBound
        }

        /// Returns the next chunk, or `nil` at the end of the part.
        mutating func next() async throws -> Data? {
            guard offset < part.range.upperBound else { return nil }
            let chunk: Data
            do throws(FileFailure) {
                let file = if let file { file } else { try OpenFile(reading: part.file) }
                self.file = file
                let count = Int(Swift.min(part.range.upperBound - offset, Int64(RegularFile.chunkLength)))
                chunk = try file.read(at: offset, count: count)
            } catch {
                throw RegularFile.unreadable(error)
            }
            guard !chunk.isEmpty else { throw RegularFile.changed }
            offset += Int64(chunk.count)
            return chunk
        }
    }
}
