import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Runs a test in a temporary folder.
    private static func inFolder(_ body: (ScratchFolder) async throws -> Any?) async throws -> Any? {
        let folder = try ScratchFolder()
        return try await body(folder)
    }

    private static func readAll(_ chunks: RequestBody.Chunks) async throws {
        for try await _ in chunks {}
    }

    private static var missing: URL { URL(filePath: "/missing/photo.jpg") }

    static let bodies: [ErrorRow] =
        files + multipart + [
            ErrorRow(.encoding, "A stream that can be opened only once was sent twice.", "Use `stream(length:_:)`.") {
                let body = RequestBody.stream(once: AsyncParts([Data("a".utf8)]))
                try await readAll(body.chunks)
                return try await readAll(body.chunks)
            },
            ErrorRow(.encoding, "The body's source has more or fewer bytes than announced.", "Correct the length.") {
                try await readAll(RequestBody.stream(length: 8) { AsyncParts([Data("abc".utf8)]) }.chunks)
            },
            ErrorRow(.encoding, "The source of the request body threw an error.", "See the cause in `underlying`.") {
                try await readAll(RequestBody.stream { AsyncParts([], then: ErrorScene.Broken()) }.chunks)
            },
            ErrorRow(.transport, "The source of the response body threw an error.", "See the cause in `underlying`.") {
                try await ResponseBody(stream: AsyncParts([], then: ErrorScene.Broken())).collect()
            },
            ErrorRow(
                .bodyTooLarge, "The body is larger than the limit of the call.", "Set a larger limit, or stream it."
            ) {
                try await ResponseBody(Data("abcdef".utf8)).collect(upTo: 4)
            },
            ErrorRow(.bodyTooLarge, "A line is longer than the limit.", "Set a larger limit.") {
                for try await _ in ResponseBody(Data("abcdef\n".utf8)).lines(upTo: 4) {}
                return nil
            },
            ErrorRow(.configuration, "Two readers read the same stream.", "Read it once, or collect it.") {
                let body = ResponseBody(stream: AsyncParts([Data("a".utf8)]))
                _ = try await body.collect()
                return try await body.collect()
            },
        ]

    private static func check(_ part: MultipartBody.Part, boundary: String? = nil) throws {
        let body = RequestBody.multipart(MultipartBody([part], boundary: boundary))
        try ErrorScene.request("https://api.example", "POST", body: body).checkSendable()
    }

    private static let multipart: [ErrorRow] = [
        ErrorRow(.encoding, "The boundary of a `MultipartBody` is invalid.", "Pass `nil` for a random boundary.") {
            try check(.field("b", name: "a"), boundary: "a;b")
        },
        ErrorRow(.encoding, "A part contains the boundary that was passed.", "Pass `nil` for a random boundary.") {
            try check(.field("--b", name: "a"), boundary: "b")
        },
        ErrorRow(.encoding, "The content type of a part has a control character.", "Remove it.") {
            try check(.data(Data(), name: "a", contentType: "text/plain\r\nX: y"))
        },
        ErrorRow(.encoding, "The value of a part's header has a control character.", "Remove it.") {
            try check(MultipartBody.Part(name: "a", headers: ["X-A": "\u{1B}"], content: .text("")))
        },
        ErrorRow(
            .encoding, "A part has a header that its other properties determine.",
            "Set the file name or the content type."
        ) {
            try check(MultipartBody.Part(name: "a", headers: ["Content-Type": "a/b"], content: .text("")))
        },
    ]

    private static let files: [ErrorRow] = [
        ErrorRow(.encoding, "The URL of the body's file is not a file URL.", "Create it with `URL(filePath:)`.") {
            try await readAll(RequestBody.file(ErrorScene.url("https://api.example/photo.jpg")).chunks)
        },
        ErrorRow(.encoding, "The body's file is missing or unreadable.", "Correct the path or the permissions.") {
            try await readAll(RequestBody.file(missing).chunks)
        },
        ErrorRow(.encoding, "The path leads to a folder, a pipe or a device.", "Pass a regular file.") {
            try await inFolder { try await readAll(RequestBody.file($0.url).chunks) }
        },
        ErrorRow(.encoding, "The file was written while it was sent.", "Send a copy of the file.") {
            try await inFolder { folder in
                let file = try RegularFile(folder.file(Data("a".utf8)))
                _ = try folder.file(Data("ab".utf8))
                return try file.checkUnchanged()
            }
        },
        ErrorRow(.encoding, "The session needs a file for the body and cannot create it.", "Free disk space.") {
            guard case .stream(let stream) = RequestBody.stream({ AsyncParts([Data("a".utf8)]) }) else { return nil }
            return try await stream.spooled(in: missing.deletingLastPathComponent())
        },
        ErrorRow(
            .file, "The folder of the file is missing or read-only, or the disk is full.", "Choose another folder."
        ) {
            try await ResponseBody(Data("a".utf8)).save(to: missing)
        },
        ErrorRow(.file, "The URL of the new file is not a file URL.", "Create it with `URL(filePath:)`.") {
            try await ResponseBody(Data("a".utf8)).save(to: ErrorScene.url("https://api.example/photo.jpg"))
        },
    ]
}
