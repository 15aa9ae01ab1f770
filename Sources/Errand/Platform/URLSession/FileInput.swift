#if canImport(FoundationNetworking)
    /// As many bytes of a file as were announced, for the platform to read from its work queue.
    ///
    /// A file that has become longer is not read beyond that: the server would take the surplus for another request. One
    /// that has become shorter is an error at once, where its server would wait for the rest.
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
