import ErrandJSON
import ErrandSupport

/// Decodes a body as bytes, text or JSON, depending on the requested type.
package struct BodyParser: Sendable {
    package let decoder: JSONDecoder

    package init(decoder: JSONDecoder = .errand) {
        self.decoder = decoder
    }

    package func parse<Value: Decodable>(
        _ data: Data, contentType: String?, contentEncoding: String? = nil
    ) throws(ServiceError) -> Value {
        if data.isEmpty, let type = Value.self as? any ExpressibleByNilLiteral.Type,
            let none = type.init(nilLiteral: ()) as? Value
        {
            return none
        }
        if let bytes = data as? Value { return bytes }
        let codings = ContentCodings(contentEncoding)
        if !data.isEmpty { try codings.unsupported.requireNone() }
        if Value.self == String.self || Value.self == String?.self,
            let text = try text(data, contentType) as? Value
        {
            return text
        }
        guard !data.isEmpty else {
            throw ServiceError(.decoding, "expected \(DecodingError.name(of: Value.self)), found an empty body")
        }
        do {
            return try FastJSONDecoder(decoder).decode(Value.self, from: data)
        } catch {
            var failure = decoder.failure(error, decoding: Value.self, from: data)
            // A body that is not text may still have a content coding, like a requested range.
            if !codings.names.isEmpty, String(data: data, encoding: .utf8) == nil {
                failure.reason += " (Content-Encoding: \(codings))"
            }
            throw failure
        }
    }

    private func text(_ data: Data, _ contentType: String?) throws(ServiceError) -> String {
        let charset = contentType.flatMap { MediaType($0) }?.charset ?? "utf-8"
        let encoding: String.Encoding? =
            switch charset {
            case "utf-8", "utf8", "us-ascii": .utf8
            case "iso-8859-1", "latin1": .isoLatin1
            case "windows-1252": .windowsCP1252
            case "utf-16": .utf16
            default: nil
            }
        guard let encoding else {
            throw ServiceError(
                .decoding,
                "unsupported charset \(charset.singleLine(limit: 40)): expected utf-8, us-ascii, iso-8859-1, windows-1252 or utf-16"
            )
        }
        guard let text = String(data: data, encoding: encoding) else {
            throw ServiceError(.decoding, "expected text in \(charset), found invalid bytes")
        }
        return text
    }
}
