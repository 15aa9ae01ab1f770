import ErrandJSON
import ErrandSupport

extension JSONDecoder {
    /// The error of a body that this decoder could not decode: its reason names coding path, position and cause.
    package func failure<Value: Decodable>(
        _ error: any Error, decoding type: Value.Type, from body: Data
    ) -> ServiceError {
        let failure = ServiceError(wrapping: error, as: .decoding, "the body can't be decoded")
        guard let error = error as? DecodingError else { return failure }
        let explanation = FastJSONDecoder(self).explanation(of: error, decoding: type, from: body)
        return ServiceError(failure.code, explanation, underlying: error)
    }
}

extension ResponseHead {
    /// Describes a body that is a page in place of JSON: its media type and its first 80 characters.
    ///
    /// Only markup is quoted. The start of a broken JSON text could be a new secret.
    package func page(in body: Data) -> String? {
        let start = body.prefix(1_024).drop { $0 <= 0x20 || $0 >= 0x80 }
        guard start.first == UInt8(ascii: "<") else { return nil }
        let type = fields["Content-Type"].map { printable($0, limit: 100) } ?? "a body without a media type"
        let text = printable(String(decoding: body.prefix(16_384), as: UTF8.self).trimmed(), limit: 80)
        return "\(type) that begins with \"\(text)\""
    }
}
