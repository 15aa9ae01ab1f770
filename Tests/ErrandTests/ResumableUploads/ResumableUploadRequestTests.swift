import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The requests that uploads send.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadRequestTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func requests(
        _ kind: ResumableUploadProtocol, location: String = "", _ change: (inout FilmUpload) -> Void = { _ in }
    ) async throws -> [APIRequest] {
        let film = try folder.film(500, name: "été \"1\".mp4")
        let session = UploadPeer(kind, [.lost(after: 100)], location: location).session()
        var handler = try FilmUpload()
        change(&handler)
        let loader = APILoader(handler, session: session, time: InstantClock())
        _ = try await loader.upload(.file(film.file), resumingBy: kind, state: folder.state).value
        return session.recorded
    }

    private func lines(_ request: APIRequest) -> [String] {
        [request.method.rawValue] + request.headers.map { "\($0.name): \($0.value)" }
    }

    @Test func `tus requests have the headers of version 1`() async throws {
        let sent = try await requests(.tus)
        #expect(
            sent.map(lines) == [
                [
                    "POST", "Tus-Resumable: 1.0.0", "Upload-Length: 500",
                    "Upload-Metadata: filename w6l0w6kgIjEiLm1wNA==,filetype dmlkZW8vbXA0",
                ],
                ["PATCH", "Content-Type: application/offset+octet-stream", "Tus-Resumable: 1.0.0", "Upload-Offset: 0"],
                ["HEAD", "Tus-Resumable: 1.0.0"],
                [
                    "PATCH", "Content-Type: application/offset+octet-stream", "Tus-Resumable: 1.0.0",
                    "Upload-Offset: 100",
                ],
            ])
        #expect(sent[0].body == .none && sent[2].body == .none)
    }

    @Test func `requests of the draft have its interop version`() async throws {
        let sent = try await requests(.httpDraft)
        let version = "Upload-Draft-Interop-Version: 8"
        #expect(
            sent.map(lines) == [
                [
                    "POST",
                    #"Content-Disposition: inline; filename="_t_ _1_.mp4"; "#
                        + "filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.mp4",
                    "Content-Type: video/mp4", "Upload-Complete: ?0", version, "Upload-Length: 500",
                ],
                [
                    "PATCH", "Content-Type: application/partial-upload", "Upload-Complete: ?1", version,
                    "Upload-Offset: 0",
                ],
                ["HEAD", version],
                [
                    "PATCH", "Content-Type: application/partial-upload", "Upload-Complete: ?1", version,
                    "Upload-Offset: 100",
                ],
            ])
    }

    @Test func `requests of a Google session have ranges`() async throws {
        let sent = try await requests(.googleSession) { handler in
            handler.metadata = Data(#"{"name":"a"}"#.utf8)
            handler.headers = ["Content-Type": "application/json", "X-Upload-Content-Type": "video/mp4"]
        }
        #expect(
            sent.map(lines) == [
                [
                    "POST", "Content-Type: application/json", "X-Upload-Content-Length: 500",
                    "X-Upload-Content-Type: video/mp4",
                ],
                ["PUT", "Content-Range: bytes 0-499/500"], ["PUT", "Content-Range: bytes */500"],
                ["PUT", "Content-Range: bytes 100-499/500"],
            ])
        #expect(sent[0].body == .data(Data(#"{"name":"a"}"#.utf8)) && sent[2].body == .none)
    }

    @Test func `a Google session without metadata has the type of the content`() async throws {
        let sent = try await requests(.googleSession)
        #expect(lines(sent[0]) == ["POST", "X-Upload-Content-Length: 500", "X-Upload-Content-Type: video/mp4"])
        #expect(sent[0].body == .none)
    }

    @Test(arguments: ResumableUploadProtocol.all, [true, false])
    func `headers of the handler are sent only to its origin`(
        kind: ResumableUploadProtocol, isSame: Bool
    ) async throws {
        let sent = try await requests(kind, location: isSame ? "https://API.test:443" : "https://up.test") { handler in
            handler.headers = [
                "Authorization": "Bearer 1", "X-Shop": "7", "Cookie": "a=1", "User-Agent": "App", "X-Kept": "8",
                "Idempotency-Key": "9", "If-Match": "*", "Prefer": "a", "Repr-Digest": "sha-256=:a:",
                "Digest": "a", "Want-Repr-Digest": "sha-256=1", "Want-Content-Digest": "sha-256=1",
                "Last-Modified": "Tue, 15 Nov 1994 12:45:26 GMT",
            ]
            handler.settings.redirects.crossOriginHeaders = ["X-Kept", "Digest", "Last-Modified"]
        }
        for request in sent.dropFirst() {
            let names = Set(request.headers.map(\.name))
            #expect(names.contains("Authorization") == isSame && names.contains("X-Shop") == isSame)
            #expect(names.contains("Cookie") == isSame)
            #expect(names.isSuperset(of: ["User-Agent", "X-Kept"]))
            #expect(names.isDisjoint(with: ["Idempotency-Key", "If-Match", "Prefer", "Digest", "Last-Modified"]))
            #expect(names.isDisjoint(with: ["Repr-Digest", "Want-Repr-Digest", "Want-Content-Digest"]))
        }
        #expect(sent.first?.headers["Idempotency-Key"] == "9")
    }

    /// Another origin responds to the creation request, and chooses a URL of the first origin.
    @Test func `headers are not sent to a URL that another origin chose`() async throws {
        let film = try folder.film(500)
        let replies = [
            CannedReply.status(307).header("Location", "https://up.test/films"),
            .status(201).header("Location", "https://api.test/admin"), .failure(URLError(.networkConnectionLost)),
        ]
        let later = [CannedReply.status(200).header("Upload-Offset", "500")]
        var handler = try FilmUpload()
        handler.headers["Authorization"] = "Bearer 1"
        handler.headers["X-Shop"] = "7"
        var settings = ResumableUploadProtocol.tus
        settings.attempts = 1
        let sessions = [ScriptedSession(replies), ScriptedSession(later)]
        for session in sessions {
            let loader = APILoader(handler, session: session.intercepted(by: RedirectInterceptor()))
            _ = try? await loader.upload(.file(film.file), resumingBy: settings, state: folder.state).value
        }
        #expect(sessions.map(\.recorded.count) == [3, 1])
        #expect(sessions[0].recorded.first?.headers["Authorization"] == "Bearer 1")
        for request in [sessions[0].recorded[2], sessions[1].recorded[0]] {
            #expect(request.url?.absoluteString == "https://api.test/admin")
            #expect(request.headers["Authorization"] == nil && request.headers["X-Shop"] == nil)
        }
    }

    @Test(arguments: [nil, "9"])
    func `only a new upload after a lost one has another idempotency key`(key: String?) async throws {
        let film = try folder.film(500)
        let session = ScriptedSession([
            .failure(URLError(.networkConnectionLost)), .status(201).header("Location", "/files/1"),
            .failure(URLError(.cannotConnectToHost)), .status(404), .status(503),
            .status(201).header("Location", "/files/2"), .status(204).header("Upload-Offset", "500"),
        ])
        var handler = try FilmUpload()
        handler.settings.idempotency = .byKey
        handler.headers["Idempotency-Key"] = key
        let loader = APILoader(handler, session: session, time: InstantClock())
        _ = try await loader.upload(.file(film.file), resumingBy: .tus, state: folder.state).value
        let keys = session.recorded.filter { $0.method == .post }.compactMap { $0.headers["Idempotency-Key"] }
        try #require(keys.count == 4)
        #expect(keys[0] == key ?? keys[0] && keys[0] == keys[1])
        #expect(keys[2] != keys[1] && keys[2] == keys[3])
    }

    @Test func `content is never retried, and other requests by their method`() async throws {
        let sent = try await requests(.tus) { $0.settings.idempotency = .always }
        #expect(sent.map(\.isRetryable) == [true, false, true, false])
    }

    @Test(arguments: [
        "https://me@api.test/1", "http://api.test/1", "ftp://api.test/1",
    ])
    func `an invalid URL of the upload is an error`(location: String) async throws {
        let film = try folder.film(5)
        let session = ScriptedSession([.status(201).header("Location", location)])
        let loader = APILoader(try FilmUpload(), session: session)
        let error = await #expect(throws: ServiceError.self) {
            try await loader.upload(.file(film.file), resumingBy: .tus, state: folder.state).value
        }
        #expect(error?.code == .badResponse && error?.description.contains("me@") == false)
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test(arguments: ["GET", "HEAD"])
    func `the creation request needs a method with content`(method: String) async throws {
        let film = try folder.film(5)
        var handler = try FilmUpload()
        handler.method = method
        let loader = APILoader(handler, session: ScriptedSession([]))
        let error = await #expect(throws: ServiceError.self) {
            try await loader.upload(.file(film.file), resumingBy: .tus, state: folder.state).value
        }
        #expect(error?.code == .configuration)
    }
}
