import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The names, the digests and the limits of downloaded files.
@Suite(.timeLimit(.minutes(1))) struct DownloadedFileTests {
    private static let film = Film(100)

    private func loader(_ session: FilmSession, _ api: FilmAPI = FilmAPI()) -> APILoader<FilmAPI> {
        APILoader(api, session: session, time: InstantClock())
    }

    private static func digest(_ film: Film) -> String {
        "sha-256=:\(Data(SHA256.hash(film.content)).base64EncodedString()):"
    }

    @Test func `the server's name is made safe and never replaces a file`() async throws {
        let folder = try ScratchFolder()
        var options = DownloadOptions()
        options.overwrites = true
        let session = FilmSession(Self.film) { reply, _ in
            reply.headers.append("Content-Disposition", #"attachment; filename="../holi\"day.mov""#)
        }
        for name in ["holi_day.mov", "holi_day (2).mov", "holi_day (3).mov"] {
            let file = try await loader(session).download(into: folder.url, options: options).value
            #expect(file.url.lastPathComponent == name)
            #expect(try Data(contentsOf: file.url) == Self.film.content)
        }
        #expect(try folder.names().count == 3)
    }

    @Test(
        arguments: [
            ("https://films.example/a/b%20c.mov?x=1", "b c.mov"), ("https://films.example/", "download"),
        ])
    func `without a name of the server the URL has it`(url: String, name: String) async throws {
        let folder = try ScratchFolder()
        let file = try await loader(FilmSession(Self.film), FilmAPI(url: url)).download(into: folder.url).value
        #expect(file.url.lastPathComponent == name)
        #expect(try folder.names() == [name])
    }

    @Test func `a resumed file has the name of the first response`() async throws {
        let folder = try ScratchFolder()
        let broken = FilmSession(Self.film) { reply, index in
            reply.headers.append("Content-Disposition", #"attachment; filename="holiday.mov""#)
            reply.breakBody(after: 40)
            if index > 0 { throw ServiceError(.tls, "refused") }
        }
        await #expect(throws: ServiceError.self) { try await loader(broken).download(into: folder.url).value }
        let file = try await loader(FilmSession(Self.film)).download(into: folder.url).value
        #expect(file.url.lastPathComponent == "holiday.mov" && file.resumedFrom == 40)
    }

    @Test func `an existing file is replaced only on request`() async throws {
        let folder = try ScratchFolder()
        _ = try folder.file(Data("old".utf8), name: "film.mov")
        let session = FilmSession(Self.film)
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.code == .file && session.recorded.isEmpty)
        var options = DownloadOptions()
        options.overwrites = true
        _ = try await loader(session).download(to: folder.film, options: options).value
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `a file that appears during the download is not replaced`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(
            Self.film, observe: { try? Data("other".utf8).write(to: folder.film, options: .withoutOverwriting) })
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.code == .file)
        #expect(try String(contentsOf: folder.film, encoding: .utf8) == "other")
        // The bytes are not lost.
        try FileManager.default.removeItem(at: folder.film)
        let next = FilmSession(Self.film)
        _ = try await loader(next).download(to: folder.film).value
        #expect(next.ranges == ["bytes=99-"])
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    struct DigestRow: Sendable, CustomTestStringConvertible {
        let name: String
        var headers: HeaderFields = [:]
        var options = DownloadOptions()
        let isVerified: Bool?
        var testDescription: String { name }
    }

    static let digests: [DigestRow] = {
        let (right, wrong) = (digest(film), digest(Film(100, seed: 2)))
        func expecting(_ film: Film) -> DownloadOptions {
            var options = DownloadOptions()
            options.digest = try? film.digest
            return options
        }
        return [
            DigestRow(name: "none", isVerified: nil),
            DigestRow(name: "of the caller", options: expecting(film), isVerified: true),
            DigestRow(name: "wrong of the caller", options: expecting(Film(1)), isVerified: false),
            DigestRow(name: "Repr-Digest", headers: ["Repr-Digest": right], isVerified: true),
            DigestRow(name: "wrong Repr-Digest", headers: ["Repr-Digest": wrong], isVerified: false),
            DigestRow(name: "Content-Digest", headers: ["Content-Digest": right], isVerified: true),
            DigestRow(name: "wrong Content-Digest", headers: ["Content-Digest": wrong], isVerified: false),
            DigestRow(name: "malformed", headers: ["Repr-Digest": "sha-256=abc"], isVerified: nil),
            DigestRow(
                name: "wrong of the caller only", headers: ["Repr-Digest": right], options: expecting(Film(1)),
                isVerified: false),
        ]
    }()

    @Test(arguments: digests, [nil, 40])
    func `a file gets its name only if its digests match`(row: DigestRow, broken: Int?) async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, index in
            // A part has no Content-Digest of the complete file. Its Repr-Digest is in each response.
            for header in row.headers where index == 0 || header.name == "Repr-Digest" {
                reply.headers.append(header.name, header.value)
            }
            if index == 0, let broken { reply.breakBody(after: broken) }
        }
        let download = loader(session).download(to: folder.film, options: row.options)
        if row.isVerified == false {
            let error = await #expect(throws: ServiceError.self) { try await download.value }
            #expect(error?.code == .badResponse && error?.reason.contains("digest") == true)
            #expect(try folder.names() == [])
        } else {
            let file = try await download.value
            #expect(try file.digest == (row.isVerified == true ? Self.film.digest : nil))
            #expect(try folder.names() == ["film.mov"])
        }
    }

    @Test func `a resumed file is hashed from its first byte`() async throws {
        let folder = try ScratchFolder()
        var options = DownloadOptions()
        options.digest = try Self.film.digest
        let broken = FilmSession(Self.film) { reply, index in
            reply.breakBody(after: 40)
            if index > 0 { throw ServiceError(.tls, "refused") }
        }
        await #expect(throws: ServiceError.self) {
            try await loader(broken).download(to: folder.film, options: options).value
        }
        // A bit flips on the disk.
        let partial = folder.url.appending(
            path: try #require(try folder.names().first { $0.hasSuffix(".download") }))
        let intact = try folder.copy()
        var bytes = try Data(contentsOf: partial)
        bytes[7] ^= 1
        try bytes.write(to: partial)
        await #expect(throws: ServiceError.self) {
            try await loader(FilmSession(Self.film)).download(to: folder.film, options: options).value
        }
        #expect(try folder.names() == [])
        let file = try await loader(FilmSession(Self.film)).download(to: intact.film, options: options).value
        #expect(try file.digest == Self.film.digest && file.resumedFrom == 40)
    }

    @Test(arguments: [true, false]) func `a file over the limit is not kept`(isAnnounced: Bool) async throws {
        let folder = try ScratchFolder()
        var options = DownloadOptions()
        options.limit = 99
        let session = FilmSession(Self.film) { reply, _ in
            if !isAnnounced { reply.headers["Content-Length"] = nil }
        }
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film, options: options).value
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(try folder.names() == [])
        options.limit = 100
        #expect(try await loader(session).download(to: folder.film, options: options).value.size == 100)
    }

    @Test func `a body that is longer than announced is discarded`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, _ in reply.headers["Content-Length"] = "95" }
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.code == .badResponse)
        #expect(try folder.names() == [])
    }

    @Test(arguments: ["POST", "HEAD", "Range", "If-Range"])
    func `only a plain GET request can be downloaded`(flaw: String) async throws {
        let folder = try ScratchFolder()
        let isMethod = flaw == flaw.uppercased()
        let api = FilmAPI(method: isMethod ? flaw : "GET", headers: isMethod ? [:] : [flaw: "bytes=0-"])
        let session = FilmSession(Self.film)
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session, api).download(to: folder.film).value
        }
        #expect(error?.code == .encoding && session.recorded.isEmpty && error?.request != nil)
    }

    @Test func `a folder that does not exist is an error`() async throws {
        let folder = try ScratchFolder()
        for url in [folder.url.appending(path: "none/film"), try #require(URL(string: "https://a.test/film"))] {
            let error = await #expect(throws: ServiceError.self) {
                try await loader(FilmSession(Self.film)).download(to: url).value
            }
            #expect(error?.code == .file)
        }
    }

    @Test func `a digest is 32 bytes or 64 hexadecimal digits`() throws {
        let bytes = (0..<32).map { UInt8($0) }
        #expect(try FileDigest.sha256(bytes) == .sha256(bytes.hexadecimal.uppercased()))
        #expect(try FileDigest.sha256(bytes).description == bytes.hexadecimal)
        for text in ["", String(repeating: "g", count: 64), String(repeating: "a", count: 63), "é"] {
            let error = #expect(throws: ServiceError.self) { try FileDigest.sha256(text) }
            #expect(error?.code == .configuration)
        }
        #expect(throws: ServiceError.self) { try FileDigest.sha256(bytes.dropLast()) }
    }
}
