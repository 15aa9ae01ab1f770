import Errand
import ErrandSupport

/// The parts of a recorded or sent request that are compared, masked by a redaction.
struct ReplayedRequest: Sendable {
    private let request: HTTPArchive.Request
    private let components: URLComponents?
    /// The body in a form that can be compared.
    private let body: Data

    init(_ request: HTTPArchive.Request, _ redaction: Redaction) {
        let entry = HTTPArchive.Entry(date: Date(timeIntervalSince1970: 0), request: request, response: nil)
        self.init(masked: HTTPArchive([entry]).redacted(by: redaction).entries[0].request)
    }

    /// Creates a value of a request without secrets.
    init(masked request: HTTPArchive.Request) {
        self.request = request
        components = URLComponents(string: request.url)
        body = Self.comparable(request.body)
    }

    /// The method and the URL.
    var summary: String { "\(request.method) \(request.url)".singleLine(limit: 500) }

    func matches(_ recorded: ReplayedRequest, _ matching: ReplaySession.Matching) -> Bool {
        request.method == recorded.request.method && differences(from: recorded, matching).isEmpty
    }

    /// The differences of this request from a recorded one, one line for each part.
    func differences(from recorded: ReplayedRequest, _ matching: ReplaySession.Matching) -> [String] {
        var lines: [String] = []
        func compare(_ part: String, _ expected: String, _ got: String) {
            guard !got.isEqual(toMasked: expected) else { return }
            lines.append("\(part): expected \(expected.singleLine(limit: 300)), got \(got.singleLine(limit: 300))")
        }
        compare("method", recorded.request.method, request.method)
        compare("host", recorded.host(matching), host(matching))
        compare("path", recorded.path, path)
        compare("query", recorded.query(matching), query(matching))
        guard matching == .strict else { return lines }
        if let expected = recorded.request.body, !expected.isComplete || request.body?.isComplete == false {
            return lines
        }
        let (expected, got) = (recorded.body, body)
        let areEqual =
            expected == got
            || String(validUTF8: got)?.isEqual(toMasked: String(decoding: expected, as: UTF8.self)) == true
        if !areEqual { lines.append("body: expected \(Self.shown(expected)), got \(Self.shown(got))") }
        return lines
    }

    private func host(_ matching: ReplaySession.Matching) -> String {
        let host = (components?.host ?? "").lowercased()
        guard matching == .strict else { return host }
        return "\(components?.scheme?.lowercased() ?? "")://\(host)\(components?.port.map { ":\($0)" } ?? "")"
    }

    private var path: String {
        let path = components?.percentEncodedPath ?? ""
        return path.isEmpty ? "/" : path
    }

    private func query(_ matching: ReplaySession.Matching) -> String {
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

    private static func shown(_ body: Data) -> String {
        if body.isEmpty { return "no body" }
        return String(validUTF8: body)?.singleLine(limit: 300) ?? "‹\(body.count) bytes›"
    }
}

extension String {
    /// Whether this text is equal to a recorded one. A mask in the recorded text stands for any characters.
    fileprivate func isEqual(toMasked recorded: String) -> Bool {
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
