import Errand
import ErrandSupport

/// A sent request that is compared with recorded ones. Its hidden values are masked, but their repetitions are not,
/// because the same text can be another part of the recorded request.
struct ReplayedRequest: Sendable {
    private let request: RequestParts
    /// The request without repetitions of hidden values, for messages.
    private let printable: RequestParts

    init(_ exchange: HTTPArchive.Unredacted) {
        request = RequestParts(exchange.maskedRequest)
        printable = RequestParts(HTTPArchive([exchange]).entries[0].request)
    }

    /// The method and the URL.
    var summary: String { printable.summary }

    func matches(_ recorded: RequestParts, _ matching: ReplaySession.Matching) -> Bool {
        // In a number or in binary data, a mask cannot stand for other bytes, so the masked repetitions are compared, too.
        request.method == recorded.method
            && (differences(from: recorded, matching).isEmpty
                || differences(of: printable, from: recorded, matching).isEmpty)
    }

    /// The differences of this request from a recorded one, one line for each part.
    func differences(from recorded: RequestParts, _ matching: ReplaySession.Matching) -> [String] {
        differences(of: request, from: recorded, matching)
    }

    private func differences(
        of request: RequestParts, from recorded: RequestParts, _ matching: ReplaySession.Matching
    ) -> [String] {
        var lines: [String] = []
        func compare(_ name: String, separator: Character? = nil, _ part: (RequestParts) -> String) {
            let expected = part(recorded)
            guard !part(request).isEqual(toMasked: expected, separator) else { return }
            let got = part(printable).singleLine(limit: 300)
            lines.append("\(name): expected \(expected.singleLine(limit: 300)), got \(got)")
        }
        compare("method") { $0.method }
        compare("host") { $0.host(matching) }
        compare("path", separator: "/") { $0.path }
        compare("query", separator: "&") { $0.query(matching) }
        guard matching == .strict, recorded.hasCompleteBody, request.hasCompleteBody else { return lines }
        let (expected, got) = (recorded.body, request.body)
        let areEqual =
            expected == got
            || String(validUTF8: got)?.isEqual(toMasked: String(decoding: expected, as: UTF8.self), nil) == true
        if !areEqual { lines.append("body: expected \(recorded.shownBody), got \(printable.shownBody)") }
        return lines
    }
}

/// The parts of a request that are compared.
struct RequestParts: Sendable {
    private let request: HTTPArchive.Request
    private let components: URLComponents?
    /// The body in a form that can be compared.
    let body: Data

    /// Creates the parts of a request without secrets.
    init(_ request: HTTPArchive.Request) {
        self.request = request
        components = URLComponents(string: request.url)
        body = Self.comparable(request.body)
    }

    var method: String { request.method }

    /// The method and the URL.
    var summary: String { "\(request.method) \(request.url)".singleLine(limit: 500) }

    /// Whether the body is missing or complete.
    var hasCompleteBody: Bool { request.body?.isComplete ?? true }

    func host(_ matching: ReplaySession.Matching) -> String {
        let host = (components?.host ?? "").lowercased()
        guard matching == .strict else { return host }
        return "\(components?.scheme?.lowercased() ?? "")://\(host)\(components?.port.map { ":\($0)" } ?? "")"
    }

    var path: String {
        let path = components?.percentEncodedPath ?? ""
        return path.isEmpty ? "/" : path
    }

    func query(_ matching: ReplaySession.Matching) -> String {
        let query = components?.percentEncodedQuery ?? ""
        guard matching == .loose else { return query }
        return query.split(separator: "&").sorted().joined(separator: "&")
    }

    /// Returns a body in a form that can be compared: JSON with sorted keys, and multipart bodies without their
    /// boundary.
    private static func comparable(_ body: HTTPArchive.Body?) -> Data {
        guard let body else { return Data() }
        if let value = try? JSONSerialization.jsonObject(with: body.bytes, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        {
            return data
        }
        guard let mark = body.mediaType.range(of: "boundary="), body.mediaType.lowercased().hasPrefix("multipart/")
        else {
            return body.bytes
        }
        let boundary = body.mediaType[mark.upperBound...].prefix { $0 != ";" }
            .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        guard !boundary.isEmpty else { return body.bytes }
        return body.bytes.replacing(Data(boundary.utf8), with: Data("boundary".utf8))
    }

    var shownBody: String {
        if body.isEmpty { return "no body" }
        return String(validUTF8: body)?.singleLine(limit: 300) ?? "‹\(body.count) bytes›"
    }
}

extension String {
    /// Whether this text is equal to a recorded one. A mask in the recorded text stands for any characters but the
    /// separator.
    fileprivate func isEqual(toMasked recorded: String, _ separator: Character?) -> Bool {
        if utf8.elementsEqual(recorded.utf8) { return true }
        guard let separator else { return isEqual(toMasked: recorded) }
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        let expected = recorded.split(separator: separator, omittingEmptySubsequences: false)
        return parts.count == expected.count
            && zip(parts, expected).allSatisfy { String($0).isEqual(toMasked: String($1)) }
    }

    private func isEqual(toMasked recorded: String) -> Bool {
        if utf8.elementsEqual(recorded.utf8) { return true }
        let masks = [Redaction.mask, PercentEncoding.query(Redaction.mask)]
        guard let mask = masks.first(where: recorded.contains) else { return false }
        let parts = recorded.components(separatedBy: mask)
        guard let first = parts.first, let last = parts.last, hasPrefix(first), hasSuffix(last),
            utf8.count >= first.utf8.count + last.utf8.count
        else { return false }
        var rest = dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
