#if canImport(FoundationNetworking)
    import Errand
    import TestSupport
    import Testing

    @Suite struct FileInputTests {
        /// Everything that a stream gives, and how it ends: 0 is its end, less an error.
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
        func `as many bytes as were announced are given, or an error`(size: Int) throws {
            let folder = try ScratchFolder()
            let place = try folder.file(Data(repeating: 1, count: 20))
            let file = try RegularFile(place)
            try Data(repeating: 1, count: size).write(to: place)
            let (bytes, end) = read(FileInput(file))
            #expect(bytes == Data(repeating: 1, count: min(20, size)))
            #expect(end == (size < 20 ? -1 : 0))
        }

        @Test func `a file that is gone is an error`() throws {
            let folder = try ScratchFolder()
            let place = try folder.file(Data(count: 20))
            let file = try RegularFile(place)
            try FileManager.default.removeItem(at: place)
            #expect(read(FileInput(file)).end == -1)
        }
    }
#endif
