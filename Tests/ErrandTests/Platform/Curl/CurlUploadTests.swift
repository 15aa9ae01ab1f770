#if os(Linux)
    import Errand
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlUploadTests {
        private func read(_ upload: CurlUpload, _ capacity: Int) -> (given: Int64, bytes: Data) {
            var buffer = [UInt8](repeating: 0, count: capacity)
            let given = buffer.withUnsafeMutableBufferPointer { upload.read(into: $0) }
            return (given, Data(buffer.prefix(Int(max(0, given)))))
        }

        /// Reads like libcurl: if no bytes are available, reads again after a wake-up.
        private func readAll(_ body: RequestBody, count: Int64?, capacity: Int) async -> (bytes: Data, end: Int64) {
            let upload = CurlUpload(count: count)
            let (wakes, wake) = AsyncStream<Void>.makeStream()
            upload.start(feeding: body) { wake.yield() }
            var bytes = Data()
            var turns = wakes.makeAsyncIterator()
            while true {
                let (given, more) = read(upload, capacity)
                if given == CurlUpload.Given.none {
                    guard await turns.next() != nil else { return (bytes, given) }
                    continue
                }
                guard given > 0 else { return (bytes, given) }
                bytes.append(more)
            }
        }

        private func parts(_ texts: [String]) -> RequestBody {
            .stream {
                AsyncStream<Data> { source in
                    for text in texts { source.yield(Data(text.utf8)) }
                    source.finish()
                }
            }
        }

        @Test(arguments: [1, 3, 100])
        func `bytes in memory are read again after a rewind`(capacity: Int) {
            let upload = CurlUpload(Data("0123456789".utf8).dropFirst(2), canRewind: true)
            #expect(upload.count == 8)
            for _ in 1...2 {
                var bytes = Data()
                while case let (given, more) = read(upload, capacity), given > 0 { bytes.append(more) }
                #expect(bytes == Data("23456789".utf8))
                #expect(read(upload, capacity).given == 0)
                #expect(upload.rewind())
            }
            upload.stop()
            #expect(read(upload, capacity).given == CurlUpload.Given.failed)
        }

        @Test func `a body that must not be sent twice does not rewind`() {
            #expect(!CurlUpload(Data("x".utf8), canRewind: false).rewind())
            #expect(!CurlUpload(count: nil).rewind())
        }

        @Test(arguments: [1, 4, 100], [[], ["", "ab", "", "cde", "f", ""], ["abcdef"]])
        func `chunks of any size arrive in order, also empty ones`(capacity: Int, texts: [String]) async {
            let complete = Data(texts.joined().utf8)
            for count in [nil, Int64(complete.count)] {
                let (bytes, end) = await readAll(parts(texts), count: count, capacity: capacity)
                #expect(bytes == complete && end == 0)
            }
        }

        @Test(arguments: [(["abc"], 4), ([], 1), (["abc", "de"], 6)] as [([String], Int64)])
        func `too few bytes fail at the end`(texts: [String], count: Int64) async {
            let (bytes, end) = await readAll(parts(texts), count: count, capacity: 100)
            #expect(end == CurlUpload.Given.failed && bytes.count < count)
        }

        @Test(arguments: [(["abc"], 2), (["abc", "de"], 4), (["a"], 0)] as [([String], Int64)])
        func `too many bytes fail before the excess is read`(texts: [String], count: Int64) async {
            let (bytes, end) = await readAll(parts(texts), count: count, capacity: 100)
            #expect(end == CurlUpload.Given.failed && bytes.count <= count)
        }

        @Test func `an upload from a throwing source fails with its error`() async throws {
            struct Broken: Error {}
            let upload = CurlUpload(count: nil)
            let (wakes, wake) = AsyncStream<Void>.makeStream()
            let body = RequestBody.stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) } }
            #expect(read(upload, 1).given == CurlUpload.Given.none)
            upload.start(feeding: body) { wake.yield() }
            for await _ in wakes { break }
            #expect(read(upload, 1).given == CurlUpload.Given.failed)
            #expect(upload.failure?.underlying is Broken)
        }

        @Test func `a missing file fails`() async {
            let file = RequestBody.file(URL(filePath: "/nowhere/at/all"))
            #expect(await readAll(file, count: 5, capacity: 10).end == CurlUpload.Given.failed)
        }

        @Test func `the source is read one chunk ahead`() async {
            let (pulls, pull) = AsyncStream<Void>.makeStream()
            let upload = CurlUpload(count: nil)
            let body = RequestBody.stream {
                AsyncStream<Data> {
                    pull.yield()
                    return Data("ab".utf8)
                }
            }
            upload.start(feeding: body) {}
            var pulled = pulls.makeAsyncIterator()
            for _ in 1...2 { await pulled.next() }
            // The third chunk is requested when the first one was sent.
            #expect(read(upload, 1).given == 1)
            #expect(read(upload, 1).given == 1)
            await pulled.next()
            upload.stop()
        }

        @Test(arguments: [true, false], [true, false])
        func `stopping ends a silent source and a waiting one`(isEarly: Bool, isSilent: Bool)
            async
        {
            let (ends, end) = AsyncStream<Void>.makeStream()
            let (wakes, wake) = AsyncStream<Void>.makeStream()
            let upload = CurlUpload(count: nil)
            let body = RequestBody.stream {
                let guest = Guest(end)
                return AsyncStream<Data> {
                    if isSilent { await waitUntilCancelled() }
                    return withExtendedLifetime(guest) { isSilent ? nil : Data("x".utf8) }
                }
            }
            if isEarly { upload.stop() } else { #expect(read(upload, 1).given == CurlUpload.Given.none) }
            upload.start(feeding: body) { wake.yield() }
            if !isEarly, !isSilent { for await _ in wakes { break } }
            upload.stop()
            for await _ in ends { break }
            #expect(read(upload, 1).given == CurlUpload.Given.failed)
        }
    }
#endif
