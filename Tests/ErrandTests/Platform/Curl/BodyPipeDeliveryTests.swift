#if os(Linux)
    import Errand
    import Testing

    @Suite struct BodyPipeDeliveryTests {
        /// Returns a task that waits for bytes. Adding bytes reports the waiting reader, so this needs no sleep.
        private func waitingReader(of pipe: BodyPipe) async -> Task<[Int?], any Error> {
            let reader = Task {
                var counts: [Int?] = []
                while counts.last != .some(nil) { counts.append(try await pipe.read()?.count) }
                return counts
            }
            while !pipe.hasReader { await Task.yield() }
            return reader
        }

        @Test func `one resumption delivers the bytes of several calls`() async throws {
            let bytes = [UInt8](repeating: 7, count: 1_000)
            let endings: [@Sendable (BodyPipe) -> Void] = [{ $0.deliver() }, { $0.finish(.success(())) }]
            for end in endings {
                let pipe = BodyPipe()
                let reader = await waitingReader(of: pipe)
                bytes.withUnsafeBufferPointer { bytes in
                    #expect(pipe.add(bytes), "a reader waits")
                    #expect(!pipe.add(bytes), "the reader is already known")
                }
                end(pipe)
                pipe.finish(.success(()))
                #expect(try await reader.value == [2_000, nil])
            }
        }

        @Test func `many bytes resume a reader at once`() async throws {
            let bytes = [UInt8](repeating: 7, count: BodyPipe.lowWater - 1)
            let pipe = BodyPipe()
            let reader = await waitingReader(of: pipe)
            bytes.withUnsafeBufferPointer { bytes in
                #expect(pipe.add(bytes), "a reader waits")
                #expect(!pipe.add(UnsafeBufferPointer(rebasing: bytes.prefix(1))), "the reader has resumed")
            }
            pipe.finish(.success(()))
            #expect(try await reader.value == [bytes.count, 1, nil])
        }

        @Test func `bytes without a waiting reader are kept, and dropped after a stop`() async throws {
            let bytes = [UInt8](repeating: 7, count: BodyPipe.highWater / 2)
            let pipe = BodyPipe()
            bytes.withUnsafeBufferPointer { bytes in
                #expect(!pipe.add(bytes) && !pipe.isFull)
                #expect(!pipe.add(bytes) && pipe.isFull)
            }
            pipe.deliver()
            for _ in 1...2 { #expect(try await pipe.read()?.count == BodyPipe.highWater / 2) }
            pipe.stop()
            bytes.withUnsafeBufferPointer { bytes in #expect(!pipe.add(bytes) && pipe.unreadCount == 0) }
        }
    }
#endif
