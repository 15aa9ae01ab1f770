import Errand
import ErrandSupport
import Foundation

/// Exchanges with a secret in one position.
enum CanaryPosition {
    typealias Position = (name: String, entry: @Sendable (String) -> HTTPArchive.Entry)

    static func sent(
        _ url: String = "https://a.example/", _ headers: HeaderFields = [:], _ type: String = "", _ body: String? = nil
    ) -> HTTPArchive.Entry {
        entry(
            HTTPArchive.Request(
                method: "POST", url: url, headers: headers,
                body: body.map { HTTPArchive.Body(Data($0.utf8), mediaType: type) }), HTTPArchive.Response(status: 200))
    }

    static func received(
        _ type: String = "", _ body: String = "", _ headers: HeaderFields = [:], cutAfter size: Int? = nil
    ) -> HTTPArchive.Entry {
        let bytes = Data(body.utf8)
        let body = HTTPArchive.Body(
            size.map { Data(bytes.prefix($0)) } ?? bytes, mediaType: type, size: Int64(bytes.count))
        return entry(
            HTTPArchive.Request(url: "https://a.example/"),
            HTTPArchive.Response(status: 200, headers: headers, body: body))
    }

    /// A request with a secret in a header, and a response that repeats it.
    static func echo(_ secret: String, _ type: String, _ body: Data, size: Int64? = nil) -> HTTPArchive.Entry {
        entry(
            HTTPArchive.Request(url: "https://a.example/", headers: ["X-Api-Key": secret]),
            HTTPArchive.Response(
                status: 200, headers: ["X-Info": "key \(secret)", "X-\(secret)": "1"],
                body: HTTPArchive.Body(body, mediaType: type, size: size)))
    }

    static func entry(_ request: HTTPArchive.Request, _ response: HTTPArchive.Response) -> HTTPArchive.Entry {
        HTTPArchive.Entry(date: Date(timeIntervalSince1970: 0), request: request, response: response)
    }

    static func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    static let requests: [Position] = [
        ("bearer", { sent("https://a.example/", ["Authorization": "Bearer \($0)"]) }),
        ("digest", { sent("https://a.example/", ["Authorization": "Digest username=\"u\", response=\"\($0)\""]) }),
        (
            "basic",
            { sent("https://a.example/", ["Authorization": "Basic \(Data("u:\($0)".utf8).base64EncodedString())"]) }
        ),
        ("API key", { sent("https://a.example/", ["X-Api-Key": $0]) }),
        ("cookie", { sent("https://a.example/", ["Cookie": "a=1; session=\($0)"]) }),
        ("user", { sent("https://user:\(PercentEncoding.query($0))@a.example/") }),
        ("query", { sent("https://a.example/?api_key=\(PercentEncoding.query($0))&a=1") }),
        ("path parameter", { sent("https://a.example/x;token=\(PercentEncoding.query($0))/y") }),
        ("fragment", { sent("https://a.example/#access_token=\(PercentEncoding.query($0))&a=1") }),
        (
            "referer",
            { sent("https://a.example/", ["Referer": "https://b.example/?token=\(PercentEncoding.query($0))"]) }
        ),
        (
            "form",
            {
                sent(
                    "https://a.example/", [:], "application/x-www-form-urlencoded",
                    "a=1&password=\(PercentEncoding.form($0))")
            }
        ),
        (
            "JSON as form",
            { sent("https://a.example/", [:], "application/x-www-form-urlencoded", "{\"password\":\(json($0))}") }
        ),
        ("JSON", { sent("https://a.example/", [:], "application/json", "{\"a\":[{\"password\" : \(json($0))}]}") }),
        (
            "nested JSON",
            { sent("https://a.example/", [:], "application/json", "{\"a\":\(json("{\"token\":\(json($0))}"))}") }
        ),
        ("object", { sent("https://a.example/", [:], "application/json", "{\"credentials\":{\"a\":[\(json($0))]}}") }),
        (
            "multipart",
            {
                sent(
                    "https://a.example/", [:], "multipart/form-data; boundary=b",
                    "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\($0)\r\n--b--\r\n")
            }
        ),
        (
            "line feeds",
            {
                sent(
                    "https://a.example/", [:], "multipart/form-data; boundary=b",
                    "--b\nContent-Disposition: form-data; filename=\"a;b\"; name=\"password\"\n\n\($0)\n--b--\n")
            }
        ),
        (
            "JSON in multipart",
            {
                sent(
                    "https://a.example/", [:], "multipart/form-data; boundary=\"b\"",
                    "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/json\r\n\r\n"
                        + "{\"token\":\(json($0))}\r\n--b--\r\n")
            }
        ),
        ("spaces", { sent("https://a.example/", [:], "text/plain", "password = \($0)\n") }),
        (
            "named value",
            {
                sent(
                    "https://a.example/", [:], "application/json",
                    "[{\"name\":\"DB_PASSWORD\",\"value\":\(json($0))},{\"key\":\"apiKey\",\"value\":[\(json($0))]}]")
            }
        ),
        ("JSON in query", { sent("https://a.example/?filter=\(PercentEncoding.query("{\"token\":\(json($0))}"))") }),
        (
            "JSON in form",
            {
                sent(
                    "https://a.example/", [:], "application/x-www-form-urlencoded",
                    "a=1&payload=\(PercentEncoding.form("{\"token\":\(json($0))}"))")
            }
        ),
        (
            "URL in query",
            {
                sent(
                    "https://a.example/?to=\(PercentEncoding.query("https://b.example/?code=\(PercentEncoding.query($0))"))"
                )
            }
        ),
        (
            "scheme in text",
            { sent("https://a.example/", [:], "text/plain", "Authorization: Bearer \($0)\nit is \($0).") }
        ),
        (
            "parameters in text",
            { sent("https://a.example/", [:], "text/plain", "Authorization: Digest a=\"b\", c=\"\($0)\"\nx") }
        ),
        ("cookie in text", { sent("https://a.example/", [:], "text/plain", "Cookie: session=\"\($0)\"; a=\"\($0)\"") }),
        (
            "named value with other members",
            {
                sent(
                    "https://a.example/", [:], "application/json",
                    "[{\"key\":\"DB_PASSWORD\",\"type\":\"env\",\"value\":\(json($0))},"
                        + "{\"name\":\"DB_PASSWORD\",\"labels\":{\"a\":[\"b\"]},\"value\":\(json($0))}]")
            }
        ),
        (
            "named value before its name",
            {
                sent(
                    "https://a.example/", [:], "application/json",
                    "[{\"value\":\(json($0)),\"name\":\"DB_PASSWORD\"},"
                        + "{\"values\":[{\"a\":\(json($0))}],\"labels\":{\"name\":\"b\"},\"key\":\"apiKey\"}]")
            }
        ),
        ("media type", { sent("https://a.example/", [:], "text/plain; token=\(PercentEncoding.query($0))", "a") }),
    ]

    static let markup: [Position] = [
        ("element", { received("text/xml", "<a><ns:password x='1'>\(html($0))</ns:password></a>") }),
        ("CDATA", { received("text/xml", "<a><token><![CDATA[\($0)]]></token></a>") }),
        ("attribute", { received("application/xml", "<a b=\"x>y\" token=\"\(html($0))\"/>") }),
        ("unquoted", { received("text/html", "<a token=\(PercentEncoding.query($0))>b</a>") }),
        ("nested", { received("text/xml", "<password><b>x</b><b>\(html($0))</b>\(html($0))</password>") }),
        ("meta", { received("text/html", "<meta name=\"csrf-token\" content=\"\(html($0))\">") }),
        ("input", { received("text/html", "<input value=\"\(html($0))\" name=csrf_token><p>x") }),
        ("entry", { received("text/xml", "<entry key=\"password\">\(html($0))</entry>") }),
        ("property list", { received("text/xml", "<dict><key>token</key><string>\(html($0))</string></dict>") }),
        ("script", { received("text/html", "<script>var a = {\"accessToken\":\(json($0))};</script>") }),
        ("data", { received("text/html", "<p data-a=\"\(html("{\"token\":\(json($0))}"))\">") }),
        ("escaped JSON", { received("text/html", "<pre>\(html("{\"token\":\(json($0))}"))</pre>") }),
        ("comparison", { received("text/html", "<script>if (a<b) { token = \(json($0)) }</script>") }),
        ("after CDATA", { received("text/xml", "<a><![CDATA[x]]><token>\(html($0))</token></a>") }),
        ("XML without void elements", { received("text/xml", "<input name='token'><b>\(html($0))</b></input>") }),
        ("joined attributes", { received("text/html", "<input a=\"b\"name=\"csrf_token\"value=\"\(html($0))\">") }),
        (
            "upper case",
            { received("text/html", "<SCRIPT>x</script><input name=\"csrf_token\" value=\"\(html($0))\">") }
        ),
        ("link", { received("text/html", "<a href=\"/x?access_token=\(PercentEncoding.query($0))\">b</a>") }),
    ]

    static let responses: [Position] = [
        ("set cookie", { received("", "", ["Set-Cookie": "id=\(PercentEncoding.query($0)); Path=/"]) }),
        ("location", { received("", "", ["Location": "/next?code=\(PercentEncoding.query($0))"]) }),
        (
            "refresh",
            { received("", "", ["Refresh": "0; url=https://a.example/#access_token=\(PercentEncoding.query($0))"]) }
        ),
        (
            "link header",
            { received("", "", ["Link": "<https://a.example/?access_token=\(PercentEncoding.query($0))>; rel=next"]) }
        ),
        ("quoted", { received("text/plain", "token=\"\($0.filter { $0 != "\"" })\" a") }),
        ("dump", { received("text/plain", "HTTP/1.1 200\r\nX-Api-Key: \($0)\r\nA: b\r\n") }),
        (
            "token response",
            { received("application/json", "{\"access_token\":\(json($0)),\"token_type\":\"Bearer\"}") }
        ),
        (
            "truncated",
            {
                received(
                    "application/json", "{\"access_token\":\(json($0)),\"é\":[1,2,3]}", cutAfter: $0.utf8.count + 12)
            }
        ),
        (
            "truncated later",
            {
                let text = "{\"access_token\":\(json($0)),\"é\":[1,2,3]}"
                return received("application/json", text, cutAfter: text.utf8.count - 11)
            }
        ),
        ("JSON lines", { received("application/x-ndjson", "{\"a\":1}\r\n{\"secret\":\(json($0))}\r\n") }),
        (
            "events",
            { received("text/event-stream", "event: a\r\ndata: {\"token\":\(json($0)),\"html\":\"<b>\"}\r\n\r\n") }
        ),
        ("log", { received("text/plain", "[info] {\"token\":\(json($0))}\n") }),
        ("callback", { received("application/javascript", "cb({\"token\":\(json($0))});") }),
        ("guarded", { received("application/json", ")]}'\n{\n  \"token\" : \(json($0))\n}") }),
        ("URL in text", { received("text/plain", "see https://a.example/?token=\(PercentEncoding.query($0)) now") }),
        (
            "URL in JSON",
            { received("application/json", "{\"next\":\"https://a.example/cb#code=\(PercentEncoding.query($0))\"}") }
        ),
        (
            "issued",
            { received("application/json", "{\"access_token\":\(json($0)),\"note\":\(json("issued \($0)!"))}") }
        ),
        (
            "header in body",
            { received("text/plain", "key \($0)", ["X-Auth-Token": $0]) }
        ),
        (
            "cookie in body",
            { received("text/plain", "cookie \($0)", ["Set-Cookie": "id=\(PercentEncoding.query($0))"]) }
        ),
    ]

    static let echoes: [Position] = [
        ("as it is", { echo($0, "text/plain", Data("your key: <\($0)>".utf8)) }),
        ("encoded", { echo($0, "text/plain", Data("your key \(PercentEncoding.query($0))".utf8)) }),
        ("base64", { echo($0, "text/plain", Data("your key \(Data("a\($0)".utf8).base64EncodedString())".utf8)) }),
        ("JSON", { echo($0, "application/json", Data("{\"a\":\(json("key \($0)"))}".utf8)) }),
        ("broken JSON", { echo($0, "application/json", Data("{\"a\":\(json($0)),".utf8)) }),
        ("HTML", { echo($0, "text/html", Data("<p>\(html($0))</p>".utf8)) }),
        ("bytes", { echo($0, "image/png", Data([0xFF, 0x00, 0xC3]) + Data($0.utf8) + Data([0x80])) }),
        ("latin 1", { echo($0, "text/html", Data([0xE9]) + Data(" \($0)".utf8)) }),
        ("UTF-16", { echo($0, "text/plain", "a \($0)".data(using: .utf16) ?? Data()) }),
        ("truncated bytes", { echo($0, "image/png", Data([0xFF]) + Data("key \($0)".utf8.dropLast(2)), size: 10_000) }),
        ("truncated", { echo($0, "text/plain", Data("your key \($0)".utf8.dropLast(2)), size: 10_000) }),
    ]

    static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
