import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Downloads a film from a session that changes its replies.
    private static func download(
        _ api: FilmAPI = FilmAPI(), to url: URL? = nil, _ options: DownloadOptions = DownloadOptions(),
        change: @escaping FilmSession.Change = { _, _ in }
    ) async throws -> DownloadedFile {
        let folder = try ScratchFolder()
        let loader = APILoader(api, session: FilmSession(Film(100), change: change), time: InstantClock())
        return try await loader.download(to: url ?? folder.film, options: options).value
    }

    /// Passes a response to a download that requested the bytes 10 to 19.
    private static func part(_ headers: HeaderFields) throws -> DownloadMachine.Action {
        let validators = ResourceValidators(["ETag": #""a""#])
        let record = DownloadRecord(identity: "i", validators: validators, total: 100)
        let segment = DownloadRecord.Segment(start: 0, end: 20, position: 10)
        var machine = DownloadMachine(DownloadOptions(), record: record, segment: segment)
        return try machine.respond(to: ErrorScene.head(206, headers))
    }

    static let downloads: [ErrorRow] = downloadedParts + downloadedFiles

    private static let downloadedParts: [ErrorRow] = [
        ErrorRow(.badResponse, "The server sent status 206 without a range.", "Correct the server.") {
            try await download { reply, _ in reply.status = 206 }
        },
        ErrorRow(.badResponse, "A custom validator accepted another status.", "Use the default validators.") {
            var machine = DownloadMachine(DownloadOptions(), identity: "i")
            return try machine.respond(to: ErrorScene.head(204))
        },
        ErrorRow(.badResponse, "The server sent several parts for one range.", "Set `resumes` to `false`.") {
            try part(["Content-Type": "multipart/byteranges; boundary=a"])
        },
        ErrorRow(.badResponse, "A part has no valid `Content-Range`.", "Set `resumes` to `false`.") { try part([:]) },
        ErrorRow(.badResponse, "The server sent another range than requested.", "Set `resumes` to `false`.") {
            try part(["Content-Range": "bytes 0-9/100"])
        },
        ErrorRow(.badResponse, "The server compressed a part.", "Set `resumes` to `false`.") {
            try part(["Content-Range": "bytes 10-19/100", "Content-Encoding": "gzip"])
        },
        ErrorRow(.badResponse, "The file changes repeatedly on the server.", "Download it again.") {
            try part(["Content-Range": "bytes 10-19/100", "ETag": #""b""#])
        },
        ErrorRow(.badResponse, "The body is longer than its headers announce.", "Correct the server.") {
            try await download { reply, _ in reply.headers["Content-Length"] = "95" }
        },
        ErrorRow(.connectionLost, "A custom session ended the body too early.", "Correct the session.") {
            try await download { reply, _ in
                reply.headers = ["Content-Length": "100"]
                reply.body = Data(reply.body.prefix(40))
            }
        },
    ]

    private static let downloadedFiles: [ErrorRow] = [
        ErrorRow(.configuration, "The bytes are not a SHA-256 hash.", "Pass 32 bytes.") {
            try FileDigest.sha256([1, 2, 3] as [UInt8])
        },
        ErrorRow(.configuration, "The text is not a SHA-256 hash.", "Pass the output of `sha256sum`.") {
            try FileDigest.sha256("abc")
        },
        ErrorRow(.encoding, "The request of a download is not a plain GET request.", "Use `stream(_:)`.") {
            try await download(FilmAPI(method: "PUT"))
        },
        ErrorRow(.badResponse, "The file has another SHA-256 hash than expected.", "Download it again.") {
            var options = DownloadOptions()
            options.digest = try Film(1).digest
            return try await download(FilmAPI(), options)
        },
        ErrorRow(.file, "The destination is not a file URL.", "Create it with `URL(filePath:)`.") {
            try await download(to: ErrorScene.url("https://api.example/film.mov"))
        },
        ErrorRow(.file, "The destination exists.", "Set `overwrites`, or choose another name.") {
            let folder = try ScratchFolder()
            return try await download(to: folder.file(Data()))
        },
        ErrorRow(.file, "The folder is missing or read-only, or the disk is full.", "Choose another folder.") {
            try await download(to: URL(filePath: "/missing/film.mov"))
        },
        ErrorRow(.file, "The same file is downloaded twice at the same time.", "Download it once.") {
            let folder = try ScratchFolder()
            let files = try DownloadFiles(in: folder.url, name: "film.mov", identity: "i")
            return try withExtendedLifetime(files) {
                try DownloadFiles(in: folder.url, name: "film.mov", identity: "i")
            }
        },
    ]
}
