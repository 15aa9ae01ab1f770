import ErrandSupport

extension JSONDecoder {
    /// The default decoder of this library. Keys are not converted. Dates are ISO 8601, with or without fractional
    /// seconds (RFC 3339).
    ///
    /// Loaders decode two to four times as fast as `JSONDecoder.decode(_:from:)`, with the same values and errors. This
    /// applies to every `JSONDecoder` with default strategies. The key strategy may also be `convertFromSnakeCase`. Every
    /// date strategy except a formatter is supported. `init(from:)` runs a second time if decoding fails.
    ///
    /// Loaders decode JSON as RFC 8259 defines it. They differ from a plain `JSONDecoder` in three ways:
    /// - A comma after the last element or member (`[1,]`) is a decoding error. To accept it, set `allowsJSON5`
    ///   of the decoder, or call `JSONDecoder.decode(_:from:)` in the `parseResponse` of the handler.
    /// - A zero may have any exponent, as in `0e1`.
    /// - Text with more than 256 combining marks in a row, out of canonical order, is a decoding error if it would be
    ///   compared or hashed: a key of a dictionary, the raw value of an enumeration, an element of a set, and any text
    ///   that Foundation's decoder reads. Swift's `String` needs quadratic time to compare it. A `String` property
    ///   accepts it.
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
    /// The default encoder of this library. Keys are not converted, dates are ISO 8601, and slashes are not escaped.
    /// Keys are sorted, so that equal values are encoded as equal bytes.
    public static var errand: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = ISO8601.text(of: date) else {
                let reason = "expected a date in the years 0 to 9999"
                throw EncodingError.invalidValue(date, .init(codingPath: encoder.codingPath, debugDescription: reason))
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        return encoder
    }
}
