import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Downloads over the real sessions from a server that misbehaves.
@Suite(.timeLimit(.minutes(2))) struct DownloadIntegrationTests {
    static let sessions: [(name: String, session: any APISession)] = [
        ("platform", PlatformSession.platform), ("URLSession", URLSession(configuration: .ephemeral)),
    ]

    private static let film = Film(3 << 20)

    enum Fault: CaseIterable, Sendable {
        case none, closes, resets, ignoresRanges, changes, liesAboutStart, liesAboutTotal, isChunked, redirects
    }

    /// Counts the requests, and changes the replies of a film.
    private final class Server: Sendable {
        let fault: Fault
        let other = Film(1 << 20, seed: 2)
        private let count = Locked(0)
        private let codings = Locked<Set<String>>([])

        init(_ fault: Fault) {
            self.fault = fault
        }

        /// The values of `Accept-Encoding`.
        var accepted: Set<String> { codings.withLock { $0 } }
        var expected: Film { fault == .changes ? other : film }

        func reply(_ request: LoopbackRequest) -> LoopbackReply {
            codings.withLock { _ = $0.insert(request["Accept-Encoding"] ?? "none") }
            if fault == .redirects, request.path != "/moved" {
                return .status(307).header("Location", "/moved")
            }
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let film = fault == .changes && index > 0 ? other : film
            let isWhole = fault == .ignoresRanges
            var reply = film.reply(range: isWhole ? nil : request["Range"], ifRange: request["If-Range"])
            if index == 1, reply.status == 206 { lie(in: &reply) }
            return send(reply, index)
        }

        private func lie(in reply: inout Film.Reply) {
            guard let range = reply.headers["Content-Range"] else { return }
            switch fault {
            case .liesAboutStart: reply.headers["Content-Range"] = range.replacing("bytes ", with: "bytes 1")
            case .liesAboutTotal: reply.headers["Content-Range"] = "\(range)0"
            default: break
            }
        }

        private func send(_ reply: Film.Reply, _ index: Int) -> LoopbackReply {
            var result: LoopbackReply =
                fault == .isChunked
                ? .chunks([reply.body.prefix(1 << 20), reply.body.dropFirst(1 << 20)].map { Data($0) })
                : .data(reply.body)
            result.status = reply.status
            for header in reply.headers where header.name != "Content-Length" {
                result = result.header(header.name, header.value)
            }
            guard fault != .none, index < 3 else { return result }
            return result.truncatingBody(after: (index + 1) * 400_000, then: fault == .resets ? .reset : .close)
        }
    }

    @Test(arguments: sessions.indices, Fault.allCases)
    func `the file is complete in spite of faults`(session: Int, fault: Fault) async throws {
        let (name, session) = Self.sessions[session]
        let folder = try ScratchFolder()
        let server = Server(fault)
        try await LoopbackServer.withServer {
            server.reply($0)
        } _: { loopback in
            let api = FilmAPI(url: loopback.url.appending(path: "film").absoluteString)
            var options = DownloadOptions()
            options.digest = try server.expected.digest
            let loader = filmLoader(api, session, InstantClock())
            let file = try await loader.download(to: folder.film, options: options).value
            #expect(file.size == Int64(server.expected.content.count), "\(name)")
            #expect(try Data(contentsOf: folder.film) == server.expected.content, "\(name)")
            #expect(try folder.names() == ["film.mov"])
            #expect(server.accepted == ["identity"], "\(name)")
        }
    }

    @Test(arguments: sessions.indices, [Fault.none, .closes, .resets, .ignoresRanges])
    func `parts are downloaded over several connections`(session: Int, fault: Fault) async throws {
        let (name, session) = Self.sessions[session]
        let folder = try ScratchFolder()
        let server = Server(fault)
        try await LoopbackServer.withServer {
            server.reply($0)
        } _: { loopback in
            let api = FilmAPI(url: loopback.url.appending(path: "film").absoluteString)
            var options = DownloadOptions()
            options.ranges = 3
            let loader = filmLoader(api, session, InstantClock())
            let file = try await loader.download(to: folder.film, options: options).value
            #expect(file.size == 3 << 20, "\(name)")
            #expect(try Data(contentsOf: folder.film) == server.expected.content, "\(name)")
        }
    }

    @Test(arguments: sessions.indices)
    func `a compressed response is decoded and not resumed`(session: Int) async throws {
        let (_, session) = Self.sessions[session]
        let folder = try ScratchFolder()
        let text = Data("hello hello hello".utf8)
        try await LoopbackServer.withServer { _ in
            .data(Data(Compressed.gzip(Array(text)))).header("Content-Encoding", "gzip").header("ETag", #""a""#)
        } _: { loopback in
            let api = FilmAPI(url: loopback.url.absoluteString)
            let loader = filmLoader(api, session, SystemTime())
            let file = try await loader.download(to: folder.film).value
            #expect(try Data(contentsOf: folder.film) == text && file.size == 17)
        }
    }

    @Test(arguments: sessions.indices)
    func `cancelling a running transfer keeps its bytes`(session: Int) async throws {
        let (_, session) = Self.sessions[session]
        let folder = try ScratchFolder()
        let isFirst = Locked(true)
        try await LoopbackServer.withServer { request in
            let stalls = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return Self.reply(request, stalls: stalls)
        } _: { loopback in
            let api = FilmAPI(url: loopback.url.absoluteString)
            let loader = filmLoader(api, session, SystemTime())
            let received = Gate()
            let task = Task {
                for try await event in loader.download(to: folder.film).updating(every: .milliseconds(1)) {
                    if case .progress(let progress) = event, progress.completed >= 1 << 20 { received.open() }
                }
            }
            await received.wait()
            task.cancel()
            let error = await #expect(throws: ServiceError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            var file: DownloadedFile?
            // The cancelled task holds the lock until it has ended.
            try await Soak.wait {
                do throws(ServiceError) {
                    file = try await loader.download(to: folder.film).value
                } catch {
                    guard error.code == .file else { throw error }
                }
                return file != nil
            }
            #expect(file?.resumedFrom == 1 << 20)
            #expect(try Data(contentsOf: folder.film) == Self.film.content)
        }
    }

    /// Returns a range of the film, or stalls after 1 MB.
    private static func reply(_ request: LoopbackRequest, stalls: Bool) -> LoopbackReply {
        let reply = film.reply(range: request["Range"], ifRange: request["If-Range"])
        var result = LoopbackReply.data(reply.body)
        if stalls {
            result = .stream(contentLength: film.content.count) { writer in
                try await writer.write(Data(film.content.prefix(1 << 20)))
                await waitUntilCancelled()
            }
        }
        result.status = reply.status
        for header in reply.headers where header.name != "Content-Length" {
            result = result.header(header.name, header.value)
        }
        return result
    }
}
