import ErrandSupport

extension JSONDecoder {
    /// The default decoder of this library: keys as they are written, and dates in ISO 8601 with or without fractional
    /// seconds (RFC 3339).
    ///
    /// Loaders decode with it, and with any other `JSONDecoder` without strategies but for dates of its own, two to three times
    /// as fast as it does by itself, to the same values and errors; `init(from:)` runs a second time where it fails. Explicit
    /// `CodingKeys` are as fast, a key strategy is not.
    ///
    /// Loaders decode JSON as RFC 8259 defines it. They differ from a plain `JSONDecoder` in three ways:
    /// - A comma after the last element or member (`[1,]`) is a decoding error. To accept it, pass a decoder whose
    ///   `allowsJSON5` is set, or call `JSONDecoder.decode(_:from:)` in the handler's own `parseResponse`.
    /// - A zero may have any exponent, as in `0e1`.
    /// - Text with more than 256 combining marks in a row, out of canonical order, is a decoding error if it would be compared
    ///   or hashed: a key of a dictionary, the raw value of an enumeration, an element of a set, and any text that Foundation's
    ///   decoder reads. Swift's `String` needs quadratic time to compare it. A `String` property takes it.
    public static var errand: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = ISO8601.date(from: try container.decode(String.self)) else {
                let form = ExpectedForm(words: "an ISO 8601 date and time")
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "not \(form.words)", underlyingError: form))
            }
            return date
        }
        return decoder
    }
}

extension JSONEncoder {
    /// The encoder that this library uses where none is given: keys as they are written, dates in ISO 8601, slashes
    /// not escaped, keys sorted so that equal values are equal bytes.
    public static var errand: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = ISO8601.text(of: date) else {
                let reason = "the date is outside the years 0 to 9999"
                throw EncodingError.invalidValue(date, .init(codingPath: encoder.codingPath, debugDescription: reason))
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        return encoder
    }
}
