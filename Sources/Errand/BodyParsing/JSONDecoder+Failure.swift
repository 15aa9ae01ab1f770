import ErrandJSON
import ErrandSupport

extension JSONDecoder {
    /// Returns the error for a body that this decoder could not decode. Its reason states the cause, the coding path
    /// and the position: `expected a String at photos[3].title, found a number (byte 214)`.
    ///
    /// - Parameters:
    ///   - error: The error of this decoder. An error that is not a `DecodingError` becomes the cause.
    ///   - type: The type that was decoded.
    ///   - body: The body.
    /// - Returns: An error with the code ``ServiceError/Code/decoding``, unless `error` is a ``ServiceError``.
    public func failure<Value: Decodable>(
        _ error: any Error, decoding type: Value.Type, from body: Data
    ) -> ServiceError {
        let failure = ServiceError(wrapping: error, as: .decoding, "the body can't be decoded")
        guard let error = error as? DecodingError else { return failure }
        let explanation = FastJSONDecoder(self).explanation(of: error, decoding: type, from: body)
        return ServiceError(failure.code, explanation, underlying: error)
    }
}

extension ResponseHead {
    /// Describes an HTML or XML body: its media type and its first 80 characters, redacted. Returns `nil` for other
    /// bodies.
    ///
    /// Use it in the error for a body in an unexpected format. Other bodies are not quoted, because the start of a
    /// broken JSON text could be a new secret.
    public func markup(in body: Data) -> String? {
        let start = body.prefix(1_024).drop { $0 <= 0x20 || $0 >= 0x80 }
        guard start.first == UInt8(ascii: "<") else { return nil }
        let type = headers["Content-Type"].map { printable($0, limit: 100) } ?? "a body without a media type"
        let text = printable(String(decoding: body.prefix(16_384), as: UTF8.self).trimmed(), limit: 80)
        return "\(type) that begins with \"\(text)\""
    }
}
