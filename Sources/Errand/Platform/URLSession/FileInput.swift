#if canImport(FoundationNetworking)
    /// A stream of exactly the announced number of bytes of a file, which the platform reads from its work queue.
    ///
    /// If the file has grown, the additional bytes are not read, because the server would parse them as another
    /// request. If the file has shrunk, reading fails at once, because the server would wait for the missing bytes.
    package final class FileInput: InputStream {
        private let source: InputStream?
        private var left: Int64

        package init(_ file: RegularFile) {
            source = InputStream(fileAtPath: file.url.path(percentEncoded: false))
            left = file.size
            super.init(data: Data())
        }

        package override func open() { source?.open() }
        package override func close() { source?.close() }
        package override var hasBytesAvailable: Bool { left > 0 }

        package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            guard let source, left > 0 else { return left > 0 ? -1 : 0 }
            let count = source.read(buffer, maxLength: Int(min(Int64(length), left)))
            guard count > 0 else { return -1 }
            left -= Int64(count)
            return count
        }
    }
#endif
