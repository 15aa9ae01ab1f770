import Errand
import ErrandSupport
import TestSupport
import Testing

/// On systems before iOS 18, a separate task reads the sequence. The tests cover both implementations.
@Suite(.timeLimit(.minutes(1))) struct SequenceReaderTests {
    typealias Read = () async throws -> Data?

    enum Way: CaseIterable, Sendable {
        case inline, inTask

        func read(_ parts: AsyncParts) -> Read {
            switch self {
            case .inline: return parts.makeReader()
            case .inTask:
                let reader = SequenceReader(parts)
                return { try await reader.next() }
            }
        }
    }

    private static let parts = [Data("a".utf8), Data("b".utf8)]

    @Test(arguments: Way.allCases) func `elements are returned in order, then nil`(way: Way) async throws {
        let read = way.read(AsyncParts(Self.parts))
        #expect(try await read() == Self.parts[0])
        #expect(try await read() == Self.parts[1])
        #expect(try await read() == nil)
        #expect(try await read() == nil)
    }

    @Test(arguments: Way.allCases) func `an element is read only on request`(way: Way) async throws {
        let asked = Locked(0)
        let read = way.read(AsyncParts(Self.parts) { asked.withLock { $0 += 1 } })
        #expect(asked.withLock { $0 } == 0)
        _ = try await read()
        await Task.yield()
        #expect(asked.withLock { $0 } == 1)
    }

    @Test(arguments: Way.allCases) func `an error of the sequence reaches the caller`(way: Way) async throws {
        let read = way.read(AsyncParts([], then: ServiceError(.connection, "gone")))
        let error = await #expect(throws: ServiceError.self) { try await read() }
        #expect(error?.code == .connection)
    }

    @Test(arguments: Way.allCases) func `cancelling the caller cancels the sequence`(way: Way) async throws {
        let isAsked = Gate()
        let parts = AsyncParts([], then: CancellationError(), waits: true) { isAsked.open() }
        let call = Task { _ = try await way.read(parts)() }
        await isAsked.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `releasing the reader ends its task`() async throws {
        let witness = Witness()
        var reader: SequenceReader<Data>? = SequenceReader(
            AsyncParts(Self.parts) { [token = Witness.Token(witness)] in _ = token })
        _ = try await reader?.next()
        #expect(!witness.isGone)
        reader = nil
        try await Soak.wait { witness.isGone }
    }
}

/// Detects that the owner of its token was released.
private final class Witness: Sendable {
    private let gone = Locked(false)

    var isGone: Bool { gone.withLock { $0 } }

    final class Token: Sendable {
        private let witness: Witness

        init(_ witness: Witness) { self.witness = witness }

        deinit { witness.gone.withLock { $0 = true } }
    }
}
