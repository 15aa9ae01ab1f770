import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Downloads that are interrupted at every moment: by a killed process, or by a cancellation.
@Suite(.timeLimit(.minutes(2))) struct InterruptedDownloadTests {
    private func loader(_ session: FilmSession) -> APILoader<FilmAPI> {
        APILoader(FilmAPI(), session: session, time: InstantClock())
    }

    /// What the server does after the interruption.
    enum Later: CaseIterable, Sendable {
        case same, changed, reverted, ignoresRanges, tagIsKept
    }

    private func server(_ later: Later, _ film: Film, chunk: Int) -> (FilmSession, Film) {
        var other = Film(film.content.count - 3, seed: 9)
        switch later {
        case .same: return (FilmSession(film, chunk: chunk), film)
        case .changed: return (FilmSession(other, chunk: chunk), other)
        case .reverted:
            // The older version, of which the first partial file is a part.
            other = Film(film.content.count, seed: 5)
            return (FilmSession(other, chunk: chunk), other)
        case .ignoresRanges:
            let session = FilmSession(film, chunk: chunk) { reply, _ in
                reply = film.reply(range: nil, ifRange: nil)
            }
            return (session, film)
        case .tagIsKept:
            // The server is wrong: the content changed, but not its strong entity tag. Its length shows it.
            other.tag = film.tag
            return (FilmSession(other, chunk: chunk), other)
        }
    }

    /// Runs a download, and returns copies of its folder after each change of a file, before each request and before
    /// each chunk.
    private func states(
        in folder: ScratchFolder, _ film: Film, _ options: DownloadOptions, every step: Int = 1,
        chunk: Int = 10, change: @escaping FilmSession.Change
    ) async throws -> [ScratchFolder] {
        let states = Locked<[ScratchFolder]>([])
        let steps = Locked(0)
        let save: @Sendable () -> Void = {
            let count = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard count % step == 0, let copy = try? folder.copy() else { return }
            states.withLock { $0.append(copy) }
        }
        let session = FilmSession(film, chunk: chunk) { reply, index in
            save()
            try change(&reply, index)
        } observe: {
            save()
        }
        let run = DownloadRun(loader(session), (), .file(folder.film), options, observe: save)
        _ = try await run.run()
        #expect(try Data(contentsOf: folder.film) == film.content)
        return states.withLock { $0 }
    }

    /// Continues from a state. A file with the final name must already be complete.
    private func check(
        _ state: ScratchFolder, _ film: Film, _ options: DownloadOptions, later: Later, chunk: Int = 7
    ) async throws {
        if FileManager.default.fileExists(atPath: state.film.path) {
            #expect(try Data(contentsOf: state.film) == film.content)
        }
        var options = options
        options.overwrites = true
        let (session, expected) = server(later, film, chunk: chunk)
        let file = try await loader(session).download(to: state.film, options: options).value
        #expect(try Data(contentsOf: state.film) == expected.content)
        #expect(try state.names() == ["film.mov"] && file.size == Int64(expected.content.count))
    }

    @Test(arguments: Later.allCases, [false, true])
    func `a process killed at any moment leaves a state that continues`(later: Later, overwrites: Bool) async throws {
        let film = Film(100)
        let folder = try ScratchFolder()
        // The partial file of an older version.
        let broken = FilmSession(Film(100, seed: 5)) { reply, index in
            reply.breakBody(after: 45)
            if index > 0 { throw ServiceError(.tls, "refused") }
        }
        await #expect(throws: ServiceError.self) { try await loader(broken).download(to: folder.film).value }
        var options = DownloadOptions()
        options.overwrites = overwrites
        let found = try await states(in: folder, film, options) { reply, index in
            if index == 0 { reply.breakBody(after: 55) }
        }
        #expect(found.count > 25)
        for state in found { try await check(state, film, options, later: later) }
    }

    @Test(arguments: Later.allCases)
    func `a large file killed at any moment leaves a state that continues`(later: Later) async throws {
        let (film, chunk) = (Film(600_000), 1 << 16)
        let folder = try ScratchFolder()
        // The partial file of an older version has a record.
        let broken = FilmSession(Film(600_000, seed: 5), chunk: chunk) { reply, _ in
            reply.breakBody(after: 400_000)
            reply.error = ServiceError(.tls, "refused")
        }
        await #expect(throws: ServiceError.self) { try await loader(broken).download(to: folder.film).value }
        let found = try await states(in: folder, film, DownloadOptions(), chunk: chunk) { _, _ in }
        #expect(found.count > 25)
        for state in found { try await check(state, film, DownloadOptions(), later: later, chunk: chunk) }
    }

    @Test(arguments: [(100, nil), (100, 40), ((1 << 18) - 1, nil), (600_000, nil)] as [(Int, Int?)])
    func `the record is stored after 256 kB or a lost connection`(size: Int, broken: Int?) async throws {
        let folder = try ScratchFolder()
        let found = try await states(in: folder, Film(size), DownloadOptions(), chunk: 1 << 16) { reply, index in
            if index == 0, let broken { reply.breakBody(after: broken) }
        }
        // The lengths of the partial file without and with a record.
        var lengths: [Bool: [Int]] = [:]
        for state in found {
            guard let partial = try state.names().first(where: { $0.hasSuffix(".download") }) else { continue }
            let hasRecord = try state.names().contains { $0.hasSuffix(".json") }
            lengths[hasRecord, default: []].append(try Data(contentsOf: state.url.appending(path: partial)).count)
        }
        let first = broken ?? (size > 1 << 18 ? 1 << 18 : nil)
        #expect(lengths[true]?.min() == first)
        #expect(try #require(lengths[false]?.max()) <= first ?? size)
    }

    @Test(arguments: [1, 4], Later.allCases)
    func `parts killed at any moment leave a state that continues`(ranges: Int, later: Later) async throws {
        let film = Film(5 << 20)
        var options = DownloadOptions()
        options.ranges = 4
        // Copies some of the states, because each has up to 5 MB.
        let found = try await states(in: ScratchFolder(), film, options, every: 7, chunk: 1 << 18) { _, _ in }
        #expect(found.count > 4)
        options.ranges = ranges
        for state in found { try await check(state, film, options, later: later, chunk: 1 << 18) }
    }

    @Test(arguments: 0..<14) func `a cancelled download can be continued`(step: Int) async throws {
        let film = Film(100)
        let folder = try ScratchFolder()
        let steps = Locked(0)
        let canceller = Locked<Task<Void, any Error>?>(nil)
        let count: @Sendable () -> Void = {
            let isDue = steps.withLock { steps in
                steps += 1
                return steps - 1 == step
            }
            if isDue { canceller.withLock { $0?.cancel() } }
        }
        let session = FilmSession(film) { reply, index in
            count()
            if index == 0 { reply.breakBody(after: 55) }
        } observe: {
            count()
        }
        let gate = Gate()
        let task = Task {
            await gate.wait()
            _ = try await loader(session).download(to: folder.film).value
        }
        canceller.withLock { $0 = task }
        gate.open()
        let result = await task.result
        if case .failure(let error) = result {
            #expect((error as? ServiceError)?.code == .cancelled, "\(error)")
            #expect(try !folder.names().contains("film.mov"))
            _ = try await loader(FilmSession(film)).download(to: folder.film).value
        }
        #expect(try Data(contentsOf: folder.film) == film.content)
        #expect(try folder.names() == ["film.mov"])
    }

    @Test func `leaving the loop ends the download and keeps its bytes`() async throws {
        let film = Film(100)
        let folder = try ScratchFolder()
        let hasBytes = Gate()
        let session = FilmSession(film) { reply, _ in
            reply.breakBody(after: 40)
        } observe: {
            hasBytes.open()
        }
        // The clock stands still, so that the download waits before it resumes.
        let waiting = APILoader(FilmAPI(), session: session, time: ManualClock())
        for try await _ in waiting.download(to: folder.film) {
            await hasBytes.wait()
            break
        }
        // The partial file is locked until the task has ended.
        var file: DownloadedFile?
        try await Soak.wait {
            do throws(ServiceError) {
                file = try await loader(FilmSession(film)).download(to: folder.film).value
            } catch {
                guard error.code == .file else { throw error }
            }
            return file != nil
        }
        #expect(try Data(contentsOf: folder.film) == film.content)
    }

    @Test func `the second of two concurrent downloads to a file fails`() async throws {
        let film = Film(100)
        let folder = try ScratchFolder()
        let started = Gate()
        let session = FilmSession(film) { reply, _ in
            started.open()
            reply.breakBody(after: 40)
        }
        let clock = ManualClock()
        let first = Task {
            try await APILoader(FilmAPI(), session: session, time: clock).download(to: folder.film).value
        }
        await started.wait()
        let error = await #expect(throws: ServiceError.self) {
            try await loader(FilmSession(film)).download(to: folder.film).value
        }
        #expect(error?.code == .file && error?.reason.contains("another download") == true)
        // It has left the state of the first download alone.
        first.cancel()
        _ = await first.result
        let file = try await loader(FilmSession(film)).download(to: folder.film).value
        #expect(file.size == 100)
        #expect(try Data(contentsOf: folder.film) == film.content)
    }
}
