extension JSONDecoder {
    /// The decoder that this library uses where none is given: keys as they are written, and dates in ISO 8601 with or
    /// without fractional seconds (RFC 3339).
    ///
    /// Explicit `CodingKeys` decode twice as fast as a key strategy.
    public static var errand: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = ISO8601.date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date and time")
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
