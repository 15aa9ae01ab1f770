import ErrandSupport

extension QueryEncoding {
    /// Returns the text of a single value.
    /// - Parameters:
    ///   - value: A value of any type except `Optional`, which must be unwrapped first.
    ///   - path: The key path of the value, for the error.
    /// - Returns: The text, or `nil` if values of this type are not encoded as a single text.
    /// - Throws: `EncodingError` if a number is not finite or a date is out of range.
    func text(of value: Any, at path: [any CodingKey]) throws -> String? {
        // Checked first, because an `NSNumber` can be cast to `Bool`, `Int` and `Double` alike.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber { return try objectText(number, at: path) }
        switch value {
        case let text as String: return text
        case let text as Substring: return String(text)
        case let flag as Bool: return flagText(flag)
        case let number as any BinaryInteger: return number.description
        case let number as any BinaryFloatingPoint: return try numberText(number, at: path)
        case let number as Decimal:
            guard number.isFinite else { throw QueryProblem.notFinite.error(at: path) }
            return number.description
        case let date as Date: return try dateText(date, at: path)
        case let url as URL: return url.absoluteString
        case let uuid as UUID: return uuid.uuidString
        case let data as Data: return data.base64EncodedString()
        default: return nil
        }
    }

    private func flagText(_ flag: Bool) -> String {
        switch bools.style {
        case .literal: flag ? "true" : "false"
        case .numeric: flag ? "1" : "0"
        }
    }

    private func numberText(_ number: some BinaryFloatingPoint, at path: [any CodingKey]) throws -> String {
        guard number.isFinite else { throw QueryProblem.notFinite.error(at: path) }
        return "\(number)".withoutZeroFraction
    }

    /// Foundation has a separate class for Booleans, which distinguishes `true` from the number 1.
    private func objectText(_ number: NSNumber, at path: [any CodingKey]) throws -> String {
        if type(of: number) == type(of: NSNumber(value: true)) { return flagText(number.boolValue) }
        guard number.doubleValue.isFinite else { throw QueryProblem.notFinite.error(at: path) }
        return number.stringValue.withoutZeroFraction
    }

    private func dateText(_ date: Date, at path: [any CodingKey]) throws -> String {
        guard let text = ISO8601.text(of: date) else { throw QueryProblem.dateOutOfRange.error(at: path) }
        return switch dates.style {
        case .iso8601: text
        case .secondsSince1970:
            // Adding 0 turns a negative zero into a positive one.
            "\(((date.timeIntervalSince1970 * 1_000).rounded() + 0) / 1_000)".withoutZeroFraction
        }
    }
}

extension String {
    fileprivate var withoutZeroFraction: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
