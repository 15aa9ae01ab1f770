import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// What an earlier response of a download leaves must not affect a later one.
@Suite(.timeLimit(.minutes(1))) struct StaleDownloadTests {
    private static let film = Film(100)

    private func loader(_ session: some APISession) -> APILoader<FilmAPI> {
        APILoader(FilmAPI(), session: session, time: InstantClock(), random: FixedRandom(fraction: 1))
    }

    @Test func `a digest is not computed from the bytes of another file`() async throws {
        let folder = try ScratchFolder()
        let old = Film(100, seed: 2)
        let header = "sha-256=:\(Data(SHA256.hash(Self.film.content)).base64EncodedString()):"
        let session = FilmSession(old) { reply, index in
            switch index {
            case 0:
                // The digest makes the client hash the bytes.
                reply.headers["Repr-Digest"] = header
                reply.breakBody(after: 40)
            case 1:
                reply = Self.film.reply(range: nil, ifRange: nil)
                reply.breakBody(after: 60)
            default:
                reply = Self.film.reply(range: "bytes=60-", ifRange: nil)
                reply.headers["Repr-Digest"] = header
            }
        }
        let file = try await loader(session).download(to: folder.film).value
        #expect(session.ranges == ["", "bytes=40-", "bytes=60-"] && file.size == 100)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `a body that is not used is released before the next request`() async throws {
        let folder = try ScratchFolder()
        let broken = FilmSession(Self.film) { reply, index in
            if index > 0 { throw ServiceError(.tls, "refused") }
            reply.breakBody(after: 40)
        }
        await #expect(throws: ServiceError.self) { try await loader(broken).download(to: folder.film).value }
        let probe = BodyProbe(endless: Data("x".utf8))
        let session = ReleasedSession(film: Self.film, probe: probe)
        let file = try await loader(session).download(to: folder.film).value
        #expect(file.size == 100 && file.resumedFrom == 0 && probe.readCount == 0)
    }

    /// Sends a wrong part with an endless body first, which must be released before the next request.
    private struct ReleasedSession: APISession {
        let film: Film
        let probe: BodyProbe

        func send(_ request: APIRequest) async throws -> APIResponse {
            let url = try #require(request.url)
            guard request.headers["Range"] != nil else {
                #expect(probe.isStopped)
                let reply = film.reply(range: nil, ifRange: nil)
                return APIResponse(
                    head: ResponseHead(status: 200, headers: reply.headers, url: url), body: ResponseBody(reply.body))
            }
            let headers: HeaderFields = ["ETag": film.tag, "Content-Range": "bytes 0-9/100"]
            return APIResponse(head: ResponseHead(status: 206, headers: headers, url: url), body: probe.body)
        }
    }
}
