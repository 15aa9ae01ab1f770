import Errand

extension RedirectRow {
    private static let call = [
        "Authorization": "Bearer s3cr3t", "Cookie": "sid=s3cr3t",
        "X-Api-Key": "s3cr3t", "X-Tenant": "s3cr3t", "Accept": "text/x", "User-Agent": "me/1", "X-Plain": "1",
    ]
    private static let session = ["Private-Token": "s3cr3t", "X-App": "demo", "X-Plain": "of the session"]
    private static let all =
        "[Accept Authorization Cookie Private-Token User-Agent X-Api-Key X-App X-Plain X-Tenant]"
    private static let harmless = "[Accept User-Agent]"

    private static func row(_ name: String, _ script: [Reply], _ received: String..., end: String) -> RedirectRow {
        RedirectRow(
            name: name, headers: call, sessionHeaders: session, hidden: ["x_tenant"], script: script,
            received: received,
            end: end)
    }

    /// Within the origin, all headers are sent. After a redirect to another origin, only a few are.
    static let secrets: [RedirectRow] = [
        row(
            "same origin", [Reply("A GET /start", 302, "/x")], "A GET /start \(all)", "A GET /x \(all)",
            end: "200 {A}/x"),
        row(
            "same origin, absolute", [Reply("A GET /start", 308, "{A}/x")], "A GET /start \(all)", "A GET /x \(all)",
            end: "200 {A}/x"),
        row(
            "other port", [Reply("A GET /start", 302, "{B}/x")], "A GET /start \(all)", "B GET /x \(harmless)",
            end: "200 {B}/x"),
        row(
            "another name of the host", [Reply("A GET /start", 307, "{L}/x")], "A GET /start \(all)",
            "A GET /x \(harmless)", end: "200 {L}/x"),
        row(
            "to another origin and back",
            [Reply("A GET /start", 301, "{B}/x"), Reply("B GET /x", 301, "{A}/y"), Reply("A GET /y", 302, "/z")],
            "A GET /start \(all)", "B GET /x \(harmless)", "A GET /y \(harmless)", "A GET /z \(harmless)",
            end: "200 {A}/z"),
        row(
            "same origin, then another", [Reply("A GET /start", 303, "/x"), Reply("A GET /x", 303, "{B}/y")],
            "A GET /start \(all)", "A GET /x \(all)", "B GET /y \(harmless)", end: "200 {B}/y"),
    ]

    /// Headers that describe the body are dropped with it.
    static let descriptions: [RedirectRow] = [301, 302, 303, 307, 308].map { status in
        let described = [
            "Content-Type": "text/x", "Content-Encoding": "x", "Content-Language": "lv", "Content-Location": "/l",
            "Digest": "d", "Content-Digest": "d", "Repr-Digest": "d", "Last-Modified": "m", "X-Plain": "1",
        ]
        let all = "[\(described.keys.sorted().joined(separator: " "))]"
        let carried = "[\(described.keys.filter { $0.hasPrefix("Content-") }.sorted().joined(separator: " "))]"
        return RedirectRow(
            name: "\(status) and the body's headers", method: "POST", body: "s", headers: described,
            script: [Reply("A POST /start", status, "{B}/x")],
            received: ["A POST /start s \(all)", status > 303 ? "B POST /x s \(carried)" : "B GET /x []"],
            end: "200 {B}/x")
    }
}
