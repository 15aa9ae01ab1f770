import Errand

/// Uploads that a server has lost, or may have completed.
extension ResumableUploadMachineTests {
    private static let mayBeComplete =
        "expected the response to the last bytes, found status 404 and no upload: it may be complete, so look for the "
        + "content on the server before you upload it again"

    private static func complete(_ status: Int) -> String {
        "expected the response of the complete upload, found status \(status): look for the content on the server "
            + "instead of uploading it again"
    }

    /// The first response to a stored upload is unusable, which would prevent all later uploads.
    static let unusable: [Row] = [
        Row(.tus, "a stored upload without an offset", stored: .incomplete, (.status(200), "create")),
        Row(.tus, "a stored upload with a negative offset", stored: .incomplete, (offset(-1), "create")),
        Row(.tus, "a stored upload with an offset behind the end", stored: .incomplete, (offset(1_001), "create")),
        Row(.tus, "a stored upload with a redirect", stored: .incomplete, (.status(302), "create")),
        Row(
            .tus, "an unusable response after an interruption", stored: .incomplete, (.lost, "ask after 1.0"),
            (.status(503), "ask after 2.0"), (.status(200), "create"), (created, "send 0..<1000")),
        Row(
            .tus, "an unusable second response", stored: .incomplete, (offset(700), "send 700..<1000"),
            (.lost, "ask after 1.0"), (.status(200), noOffset)),
        Row(.tus, "a stored upload without permission", stored: .incomplete, (.status(403), "final, kept")),
        Row(
            .tus, "a stored upload of another origin without permission", stored: .foreign, (.status(403), "create"),
            (created, "send 0..<1000")),
        Row(.tus, "a stored upload of another origin without credentials", stored: .foreign, (.status(401), "create")),
        Row(
            .tus, "a stored upload with a URL that another origin chose", stored: .chosen, (.status(401), "create")),
        Row(
            .tus, "a later rejection of another origin", stored: .foreign, (offset(700), "send 700..<1000"),
            (.status(403), "final, kept")),
        Row(
            .tus, "an unusable upload that may be complete", stored: .maybeComplete,
            (.status(200), mayBeComplete.replacing("404", with: "200"))),
        Row(.httpDraft, "a stored upload without an offset", stored: .incomplete, (.status(204), "create")),
        Row(
            .httpDraft, "a complete stored upload with too many bytes", stored: .incomplete,
            (offset(1_001, 204, draftDone), "create")),
        Row(.googleSession, "a stored upload with a gap", stored: .incomplete, (range("bytes=5-9"), "create")),
    ]

    /// The server loses an upload, or some of its bytes.
    static let lost: [Row] = [
        Row(
            .tus(chunk: 100), "chunks below an earlier offset", (created, "send 0..<100"),
            (offset(600), "send 600..<700"), (.lost, "ask after 1.0"), (offset(0), "send 0..<100"),
            (offset(100), "send 100..<200"),
            (offset(200), "send 200..<300"), (offset(300), "send 300..<400"), (offset(400), "send 400..<500"),
            (offset(500), "send 500..<600"), (offset(600), "send 600..<700"), (.lost, "ask after 2.0"),
            (offset(700), "send 700..<800"), (.lost, "ask after 1.0")),
        Row(
            .tus(chunk: 400), "chunks of a new upload", (created, "send 0..<400"), (offset(400), "send 400..<800"),
            (.status(404), "create"), (created, "send 0..<400"), (offset(400), "send 400..<800"),
            (offset(800), "send 800..<1000"), (offset(1_000), "final")),
        Row(
            .tus(chunk: 400), "progress of a new upload after failures", (created, "send 0..<400"),
            (offset(400), "send 400..<800"), (.lost, "ask after 1.0"), (.lost, "ask after 2.0"),
            (.status(404), "create"), (created, "send 0..<400"), (offset(400), "send 400..<800"),
            (.lost, "ask after 1.0")),
        Row(
            .tus(chunk: 600), "uploads that are always lost after a chunk", (created, "send 0..<600"),
            (offset(600), "send 600..<1000"), (.status(404), "create"), (created, "send 0..<600"),
            (offset(600), "send 600..<1000"), (.status(404), "create after 2.0"), (created, "send 0..<600"),
            (offset(600), "send 600..<1000"), (.status(404), "create after 4.0"), (created, "send 0..<600"),
            (offset(600), "send 600..<1000"), (.status(404), "create after 8.0"), (created, "send 0..<600"),
            (offset(600), "send 600..<1000"), (.status(404), "final")),
        Row(
            .tus(chunk: 600), "bytes that are always lost", (created, "send 0..<600"), (offset(600), "send 600..<1000"),
            (.lost, "ask after 1.0"), (offset(0), "send 0..<600"), (offset(600), "send 600..<1000"),
            (.lost, "ask after 2.0"), (offset(0), "send 0..<600"), (offset(600), "send 600..<1000"),
            (.lost, "ask after 4.0"), (offset(0), "send 0..<600"), (offset(600), "send 600..<1000"),
            (.lost, "ask after 8.0"), (offset(0), "send 0..<600"), (offset(600), "send 600..<1000"),
            (.lost, "connection lost")),
    ]

    /// The response to the last bytes is lost, and the server does not repeat it.
    static let unrepeated: [Row] = [
        Row(
            .tus, "a lost last response of a removed upload", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (.status(404), mayBeComplete)),
        Row(
            .tus, "an overload after the last bytes", (created, "send 0..<1000"), (.status(504), "ask after 1.0"),
            (.lost, "ask after 2.0"), (.status(404), mayBeComplete)),
        Row(.tus, "a removed upload that may be complete", stored: .maybeComplete, (.status(404), mayBeComplete)),
        Row(
            .googleSession, "an expired session that may be complete", stored: .maybeComplete,
            (.status(404), mayBeComplete)),
        Row(
            .tus, "a removed upload that was incomplete", stored: .maybeComplete, (offset(300), "send 300..<1000"),
            (.status(404), "create")),
        Row(
            .tus, "last bytes that were not sent", (created, "send 0..<1000"), (.refused, "ask after 1.0"),
            (.status(404), "create")),
        Row(.tus, "last bytes that were rejected", (created, "send 0..<1000"), (.status(404), "create")),
        Row(
            .tus(chunk: 600), "a removed upload before the last bytes", (created, "send 0..<600"),
            (.lost, "ask after 1.0"), (.status(404), "create")),
        Row(
            .httpDraft, "a complete upload whose response is not repeated", stored: .incomplete,
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(400), complete(400))),
        Row(
            .httpDraft, "a complete upload that is removed", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(404), complete(404))),
        Row(
            .httpDraft, "a complete upload with a conflict", stored: .incomplete,
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (offset(1_000, 409), complete(409))),
        Row(
            .httpDraft, "a complete upload with another response", stored: .incomplete,
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(204), complete(204))),
        Row(
            .httpDraft, "a complete upload with expired credentials", stored: .incomplete,
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(401), "final, kept")),
        Row(
            .httpDraft, "a complete upload with an overload", stored: .incomplete,
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(503), "ask after 1.0"),
            (.status(410), complete(410))),
        Row(
            .httpDraft, "an upload that the server has completed early", stored: .incomplete,
            (offset(300, 204, draftDone), "send 300..<300"), (.status(422, draftDone), "final")),
    ]
}
