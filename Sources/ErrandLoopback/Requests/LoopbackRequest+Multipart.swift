public import Foundation

extension LoopbackRequest {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable, Hashable {
        /// The name of the part as it was sent, so `"` is `%22`.
        public let name: String
        /// The file name of the part as it was sent, or `nil`.
        public let fileName: String?
        /// The headers of the part, in order.
        public let headers: [LoopbackHeader]
        /// The content.
        public let body: Data

        /// The value of the first header with this name, ignoring case, or `nil` if there is none.
        public subscript(name: String) -> String? { headers[name] }
    }

    /// The parts of a `multipart/form-data` body, in order.
    ///
    /// ```swift
    /// let title = request.parts?.first { $0.name == "title" }?.body
    /// ```
    /// The format is checked strictly, because a test must find a body that servers interpret differently.
    /// - Returns: At most 1,000 parts. `nil` if the request has another content type, or the body is malformed.
    public var parts: [Part]? {
        guard let type = self["Content-Type"], let boundary = Self.boundary(of: type) else { return nil }
        return MultipartParser(body, boundary).parts()
    }

    private static func boundary(of type: String) -> String? {
        var pieces = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !pieces.isEmpty, pieces.removeFirst().lowercased() == "multipart/form-data" else { return nil }
        guard let piece = pieces.first(where: { $0.lowercased().hasPrefix("boundary=") }) else { return nil }
        let value = piece.dropFirst("boundary=".count)
        let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        let boundary = isQuoted ? value.dropFirst().dropLast() : value
        return (1...70).contains(boundary.utf8.count) ? String(boundary) : nil
    }
}

/// A strict parser of multipart bodies without preamble and epilogue (RFC 2046, section 5.1.1).
private struct MultipartParser {
    private static let limit = 1_000

    private let bytes: Data
    private let boundary: String

    init(_ bytes: Data, _ boundary: String) {
        (self.bytes, self.boundary) = (bytes, boundary)
    }

    func parts() -> [LoopbackRequest.Part]? {
        var parts: [LoopbackRequest.Part] = []
        let (open, delimiter) = (Data("--\(boundary)".utf8), Data("\r\n--\(boundary)".utf8))
        guard bytes.starts(with: open) else { return nil }
        var rest = bytes.dropFirst(open.count)
        while !rest.starts(with: Data("--".utf8)) {
            guard parts.count < Self.limit, rest.starts(with: Self.newline) else { return nil }
            rest = rest.dropFirst(2)
            guard let end = rest.range(of: delimiter), let part = part(rest[..<end.lowerBound]) else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
        let ending = rest.dropFirst(2)
        return ending.isEmpty || ending.elementsEqual(Self.newline) ? parts : nil
    }

    private static let newline = Data("\r\n".utf8)

    private func part(_ bytes: Data) -> LoopbackRequest.Part? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let headers = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            .map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return LoopbackHeader(
                    String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
            }
        guard let disposition = headers["Content-Disposition"], let parameters = Self.parameters(of: disposition),
            let name = parameters["name"]
        else { return nil }
        return LoopbackRequest.Part(
            name: name, fileName: parameters["filename"], headers: headers, body: Data(bytes[end.upperBound...]))
    }

    /// Returns the parameters of a `form-data` header, or `nil` if it is malformed.
    ///
    /// A sender escapes quotes as `%22`, so a quoted value ends at the next quote. Bytes are compared, because a
    /// combining mark after a quote forms one character with it.
    private static func parameters(of disposition: String) -> [String: String]? {
        let (kind, quote) = ("form-data".utf8, UInt8(ascii: "\""))
        guard disposition.utf8.starts(with: kind) else { return nil }
        var rest = Array(disposition.utf8)[kind.count...]
        var result: [String: String] = [:]
        while !rest.isEmpty {
            guard rest.starts(with: "; ".utf8), let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: rest[..<equals].dropFirst(2), as: UTF8.self)
            rest = rest[equals...].dropFirst()
            let isQuoted = rest.first == quote
            if isQuoted { rest = rest.dropFirst() }
            let end = rest.firstIndex(of: isQuoted ? quote : UInt8(ascii: ";"))
            guard let end = end ?? (isQuoted ? nil : rest.endIndex), result[name] == nil else { return nil }
            result[name] = String(decoding: rest[..<end], as: UTF8.self)
            rest = isQuoted ? rest[end...].dropFirst() : rest[end...]
        }
        return result
    }
}
