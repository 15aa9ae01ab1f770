import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Uploads a film of 8 bytes to a session that returns the replies.
    private static func upload(
        _ replies: CannedReply..., by kind: ResumableUploadProtocol = .tus, method: String = "POST",
        film: RequestBody = .data(Data(count: 8)), state: URL? = nil
    ) async throws -> Any? {
        let folder = try ScratchFolder()
        var handler = try FilmUpload()
        handler.method = method
        let loader = APILoader(handler, session: ScriptedSession(replies), time: InstantClock())
        return try await loader.upload(film, resumingBy: kind, state: state ?? folder.state).value
    }

    private static let created = CannedReply.status(201).header("Location", "/files/7")
    private static let report = "Report the server."

    static let resumableUploads: [ErrorRow] =
        uploadCalls + lostResponses + [
            ErrorRow(.badResponse, "The server responded with a redirect or another unexpected status.", report) {
                try await upload(created, .status(304))
            },
            ErrorRow(
                .badResponse, "The server did not create an upload.", "Check the URL and the protocol of the server."
            ) {
                try await upload(.status(200))
            },
            ErrorRow(.badResponse, "The number of stored bytes is missing or invalid.", report) {
                try await upload(created, .status(204))
            },
            ErrorRow(.badResponse, "The range of stored bytes is invalid.", report) {
                try await upload(created, .status(308).header("Range", "bytes=2-4"), by: .googleSession)
            },
            ErrorRow(.badResponse, "The `Location` of the upload is not an http or https URL.", report) {
                try await upload(.status(201).header("Location", "ftp://api.test/7"))
            },
            ErrorRow(
                .badResponse, "The `Location` of the upload leads from https to http.",
                "Correct the URLs of the server, for example the headers of its proxy."
            ) {
                try await upload(.status(201).header("Location", "http://api.test/7"))
            },
            ErrorRow(.bodyTooLarge, "The content exceeds the `max-size` of the server.", "Upload less.") {
                try await upload(created.header("Upload-Limit", "max-size=7"), by: .httpDraft)
            },
            ErrorRow(.badResponse, "The server has more bytes than the content.", report) {
                try await upload(created, .status(204).header("Upload-Offset", "9"))
            },
            ErrorRow(.badResponse, "The server has an upload of another size at the URL.", report) {
                let other = CannedReply.status(200).header("Upload-Offset", "1").header("Upload-Length", "9")
                return try await upload(created, .status(503), other)
            },
            ErrorRow(.badResponse, "The server responds with success, but stores no bytes.", report) {
                let none = CannedReply.status(204).header("Upload-Offset", "0")
                return try await upload(created, none, none, none, none, none, none, none, none, none)
            },
        ]

    private static let look = "Look for the content on the server, and upload it again if it is missing."

    private static let lostResponses: [ErrorRow] = [
        ErrorRow(.responseLost, "The last response is lost, and the server has no such upload.", look) {
            try await upload(created, .status(503), .status(404))
        },
        ErrorRow(.responseLost, "The upload is complete, but the server does not repeat its response.", look) {
            let complete = CannedReply.status(204).header("Upload-Offset", "8").header("Upload-Complete", "?1")
            return try await upload(created, .status(503), complete, .status(400), by: .httpDraft)
        },
    ]

    private static let uploadCalls: [ErrorRow] = [
        ErrorRow(.configuration, "The method of the creation request has no content.", "Set the method POST.") {
            try await upload(method: "GET")
        },
        ErrorRow(
            .configuration, "The state file is the file of the content.", "Use another file, which may be missing."
        ) {
            let folder = try ScratchFolder()
            let film = try folder.film(8).file
            return try await upload(film: .file(film), state: film)
        },
        ErrorRow(.configuration, "The handler has no body.", "Implement `body(for:)`.") {
            try await upload(film: .none)
        },
        ErrorRow(.configuration, "The body is a stream or a form.", "Write it to a file first.") {
            try await upload(film: .stream(once: AsyncParts([])))
        },
        ErrorRow(.file, "Another upload uses the state file.", "Use one state file for each upload, or wait.") {
            let folder = try ScratchFolder()
            let file = try UploadStateFile(folder.state)
            defer { file.remove() }
            return try await upload(state: folder.state)
        },
        ErrorRow(
            .file, "The folder of the state file is missing or read-only, or the disk is full.",
            "Choose another folder."
        ) {
            try await upload(state: URL(filePath: "/missing/film.upload"))
        },
    ]
}
