#if canImport(FoundationNetworking)
    import Errand
    import TestSupport
    import Testing

    @Suite struct FileInputTests {
        /// Reads a stream to its end. Returns the bytes and the last result: 0 at the end, or a negative number after
        /// an error.
        private func read(_ input: FileInput) -> (bytes: Data, end: Int) {
            input.open()
            defer { input.close() }
            var bytes = Data()
            var buffer = [UInt8](repeating: 0, count: 7)
            while input.hasBytesAvailable {
                let count = input.read(&buffer, maxLength: buffer.count)
                guard count > 0 else { return (bytes, count) }
                bytes.append(contentsOf: buffer[..<count])
            }
            return (bytes, input.read(&buffer, maxLength: buffer.count))
        }

        @Test(arguments: [20, 21, 100, 19, 0])
        func `a stream has the announced length, or fails`(size: Int) throws {
            let folder = try ScratchFolder()
            let url = try folder.file(Data(repeating: 1, count: 20))
            let file = try RegularFile(url)
            try Data(repeating: 1, count: size).write(to: url)
            let (bytes, end) = read(FileInput(file))
            #expect(bytes == Data(repeating: 1, count: min(20, size)))
            #expect(end == (size < 20 ? -1 : 0))
        }

        @Test func `a removed file is an error`() throws {
            let folder = try ScratchFolder()
            let url = try folder.file(Data(count: 20))
            let file = try RegularFile(url)
            try FileManager.default.removeItem(at: url)
            #expect(read(FileInput(file)).end == -1)
        }
    }
#endif
