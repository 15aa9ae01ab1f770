import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Reads the events of a source that a session returns.
    private static func read(
        _ reply: CannedReply, method: String = "GET", validators: [ResponseValidator] = [.status()],
        change: (inout EventOptions) -> Void = { _ in }
    ) async throws -> [ErrorScene.Photo] {
        var options = EventOptions()
        options.failureLimit = 1
        change(&options)
        let loader = APILoader(
            EventAPI(method: method, validators: validators), session: ScriptedSession(answering: { _ in reply }),
            time: InstantClock())
        return try await loader.events(as: ErrorScene.Photo.self, until: "[DONE]", options: options).all()
    }

    static let events: [ErrorRow] = [
        ErrorRow(
            .status, "The response has another status than 200.", "Correct the URL, or set `statuses` to `.lenient`."
        ) {
            try await read(.events("", status: 205))
        },
        ErrorRow(.status, "A custom validator accepted an error response.", "Use the default validators.") {
            try await read(.events("", status: 400), validators: []) { $0.statuses = .lenient }
        },
        ErrorRow(
            .validation, "The response is not an event stream.", "Correct the URL, or set `statuses` to `.lenient`."
        ) {
            try await read(.json("{}"))
        },
        ErrorRow(.connectionLost, "The server ended a chat too early.", "Send the request again if it is safe.") {
            try await read(.events(""), method: "POST")
        },
        ErrorRow(.connectionLost, "The server ends each connection at once.", "Report it to the operator.") {
            try await read(.events(""))
        },
        ErrorRow(
            .badResponse, "The server sent an event ID that is too large for a header.", "Report it to the operator."
        ) {
            try await read(.events("id: \(String(repeating: "7", count: 8_193))\n\n"))
        },
        ErrorRow(.bodyTooLarge, "An event is larger than `eventLimit`.", "Set a larger limit.") {
            try await read(.events("data: abc\n\n")) { $0.eventLimit = 4 }
        },
        ErrorRow(.decoding, "An event has another structure than the model.", "Correct the model.") {
            try await read(.events("id: 7\ndata: {}\n\n"))
        },
        ErrorRow(.decoding, "The function of `converting` threw an error.", "See `underlying`.") {
            try await convert(.events("data: a\n\n"))
        },
        ErrorRow(.bodyTooLarge, "A value of a stream is larger than `limit`.", "Set a larger limit.") {
            try await values("[1,2,3]\n", limit: 4)
        },
        ErrorRow(.decoding, "A line has another structure than the model.", "Correct the model.") {
            try await values("[1]\n[\"a\"]\n")
        },
        ErrorRow(.decoding, "A JSON text sequence was truncated within a number.", "Report it to the operator.") {
            try await values("\u{1E}12", type: "application/json-seq")
        },
        ErrorRow(.decoding, "The body is not an array.", "Use another function, or correct the URL.") {
            try await elements("{}")
        },
        ErrorRow(.decoding, "The body is empty, and an array was expected.", "Report it to the operator.") {
            try await elements(" ")
        },
        ErrorRow(.decoding, "The array was truncated.", "Send the request again.") {
            try await elements("[[1]")
        },
    ]

    private static func convert(_ reply: CannedReply) async throws -> [String] {
        struct Failure: Error {}
        let loader = APILoader(EventAPI(), session: ScriptedSession([reply]))
        return try await loader.events().converting { _, _ -> EventConversion<String> in throw Failure() }.all()
    }

    private static func values(
        _ text: String, type: String = "application/x-ndjson", limit: Int = 100
    ) async throws {
        let session = ScriptedSession([.data(Data(text.utf8), type: type)])
        for try await _ in APILoader(EventAPI(), session: session).values(as: [Int].self, limit: limit) {}
    }

    private static func elements(_ text: String) async throws {
        let session = ScriptedSession([.data(Data(text.utf8), type: "application/json")])
        for try await _ in APILoader(EventAPI(), session: session).elements(as: [Int].self) {}
    }
}
