import Errand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyTests {
    private static let parts = [Data("ab".utf8), Data(), Data("c".utf8)]

    private func chunks(of body: ResponseBody) async throws(ServiceError) -> [String] {
        var chunks: [String] = []
        for try await chunk in body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        return chunks
    }

    @Test func `buffered bytes can be read repeatedly, a stream only once`() async throws {
        let here = ResponseBody(Data("abc".utf8))
        #expect(here.data == Data("abc".utf8) && here.description == "‹3 bytes›")
        for _ in 1...2 { #expect(try await chunks(of: here) == ["abc"]) }
        #expect(try await chunks(of: ResponseBody()) == [])
        let stream = ResponseBody(stream: AsyncParts(Self.parts))
        #expect(stream.data == nil && stream.description == "‹a stream›")
        #expect(try await chunks(of: stream) == ["ab", "c"])
        let error = await #expect(throws: ServiceError.self) { try await self.chunks(of: stream) }
        #expect(
            error?.code == .configuration
                && error?.reason == "the streamed body was already read: read it once, or collect it")
        let again = await #expect(throws: ServiceError.self) { try await stream.collect() }
        #expect(again?.code == .configuration)
    }

    @Test(arguments: [(3, true), (2, false), (0, false)])
    func `a body is collected up to the limit`(limit: Int, fits: Bool) async throws {
        for body in [ResponseBody(Data("abc".utf8)), ResponseBody(stream: AsyncParts(Self.parts))] {
            if fits {
                #expect(try await body.collect(upTo: limit) == Data("abc".utf8))
            } else {
                let error = await #expect(throws: ServiceError.self) { try await body.collect(upTo: limit) }
                #expect(error?.code == .bodyTooLarge)
            }
        }
        let endless = BodyProbe(endless: Data(count: 1_000))
        await #expect(throws: ServiceError.self) { try await endless.body.collect(upTo: 5_500) }
        #expect(endless.isStopped && endless.readCount == 6)
    }

    @Test func `a stream is stopped only after its last reader is gone`() async throws {
        let dropped = BodyProbe(Self.parts)
        do {
            let body = dropped.body
            let copy = body
            _ = body
            #expect(!dropped.isStopped)
            withExtendedLifetime(copy) {}
        }
        #expect(dropped.isStopped && dropped.readCount == 0)
        let left = BodyProbe(endless: Data("a".utf8))
        let body = left.body
        for try await _ in body {
            #expect(!left.isStopped)
            break
        }
        #expect(left.isStopped, "the body still exists, but its only reader is gone")
        withExtendedLifetime(body) {}
    }

    @Test func `a stream failure is thrown after the bytes before it`() async throws {
        let failing = BodyProbe([Data("a".utf8)], then: ServiceError(.tls, "x"))
        var chunks = failing.body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("a".utf8))
        let error = await #expect(throws: ServiceError.self) { try await chunks.next() }
        #expect(error?.code == .tls)
        #expect(try await chunks.next() == nil)
        let foreign = ResponseBody(stream: AsyncParts([], then: POSIXError(.EIO)))
        let other = await #expect(throws: ServiceError.self) { try await foreign.collect() }
        #expect(other?.code == .transport && other?.underlying is POSIXError)
    }

    @Test func `cancellation takes precedence over an error of the source`() async throws {
        let gate = Gate()
        let body = ResponseBody(stream: AsyncParts([], then: URLError(.cancelled), waits: true) { gate.open() })
        let reader = Task { try await body.collect() }
        await gate.wait()
        reader.cancel()
        let error = await #expect(throws: ServiceError.self) { try await reader.value }
        #expect(error?.code == .cancelled && error?.underlying is CancellationError)
    }

    @Test func `a sequence that ends when it is cancelled is not complete`() async throws {
        let (chunks, chunk) = AsyncStream<Data>.makeStream()
        let first = Gate()
        let task = Task {
            var size = 0
            for try await chunk in ResponseBody(stream: chunks) {
                size += chunk.count
                first.open()
            }
            return size
        }
        chunk.yield(Data("start".utf8))
        await first.wait()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
