import ErrandSupport

/// The content codings of a response, in the order in which they were applied (RFC 9110, section 8.4).
///
/// Sessions leave `Content-Encoding` and `Content-Length` as the server sent them, even if they decode the body. A
/// body has been delivered undecoded if the list contains a coding that is ``unsupported``.
package struct ContentCodings: Sendable, Hashable {
    /// The codings that sessions decode.
    private static let decodable: Set<String> = ["zstd", "br", "gzip", "deflate"]

    /// The names in lower case. `x-gzip` is replaced by `gzip`. `identity` and `none` are omitted, because they
    /// change nothing.
    package let names: [String]

    private init(names: [String]) {
        self.names = names
    }

    /// Parses a list of codings.
    ///
    /// - Parameter header: All values of `Content-Encoding`, joined by commas. `nil` for a response without the header.
    package init(_ header: String?) {
        guard let header else {
            names = []
            return
        }
        names = header.lowercased().split(separator: ",").map { $0.trimmed(.whitespaces) }
            .filter { !["", "identity", "none"].contains($0) }.map { $0 == "x-gzip" ? "gzip" : $0 }
    }

    /// Parses the codings of a response.
    package init(_ headers: HeaderFields) {
        self.init(headers.combined("Content-Encoding"))
    }

    /// The codings that no session decodes. A single one leaves the complete body undecoded.
    package var unsupported: ContentCodings {
        names.isEmpty ? self : ContentCodings(names: names.filter { !Self.decodable.contains($0) })
    }

    /// Checks that the list is empty, because a body with these codings cannot be decoded.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding`` if there is a coding.
    package func requireNone() throws(ServiceError) {
        guard !names.isEmpty else { return }
        let hint = "send an Accept-Encoding without it, or decode the bytes in the handler"
        throw ServiceError(.decoding, "the body is encoded as ‹\(description)›, which is not supported: \(hint)")
    }
}

extension ContentCodings: CustomStringConvertible {
    /// The names on one line, separated by commas.
    package var description: String { names.joined(separator: ", ").singleLine(limit: 64) }
}
