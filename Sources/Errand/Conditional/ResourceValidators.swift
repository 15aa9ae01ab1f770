import ErrandSupport

/// The validators of a response: values that tell whether a resource has changed since (RFC 9110, section 8.8).
///
/// ```swift
/// let loaded = try await loader.response(query)
/// store(loaded.value, loaded.validators)                                         // both, for example in a file
/// switch try await loader.loadIfModified(query, validators) { … }
/// ```
/// For ``APILoader/loadIfModified(_:_:)``, store the value and its validators together. For
/// ``Precondition/ifUnmodified(_:)``, the validators are sufficient.
public struct ResourceValidators: Sendable, Hashable {
    /// A `Last-Modified` header.
    private struct Modification: Sendable, Hashable {
        /// The unchanged value of the header. Some servers compare it as text.
        let text: String
        let date: Date
        /// Whether the resource cannot have changed again with the same date (section 8.8.2.2).
        let isStrong: Bool
    }

    /// The entity tag, or `nil` if the `ETag` header is missing or malformed.
    public let entityTag: EntityTag?
    private let modification: Modification?

    /// Creates validators from an entity tag and a date that are already known, for example from a database.
    ///
    /// The date has a resolution of one second. Dates before 1970 become 1970.
    public init(entityTag: EntityTag? = nil, lastModified: Date? = nil) {
        self.entityTag = entityTag
        modification = lastModified.map { date in
            let seconds = min(max(date.timeIntervalSince1970.rounded(.down), 0), 253_402_300_799)
            // The conversion of NaN would trap.
            let whole = Int64(exactly: seconds) ?? 0
            return Modification(
                text: HTTPDate.text(secondsSince1970: whole), date: Date(timeIntervalSince1970: TimeInterval(whole)),
                isStrong: false)
        }
    }

    /// Creates the validators of a response. A malformed header is ignored.
    package init(_ headers: HeaderFields) {
        entityTag = headers["ETag"].flatMap(EntityTag.init)
        let sent = headers["Date"].flatMap { HTTPDate.date(from: $0, now: Date()) }
        modification = headers["Last-Modified"].flatMap { text in
            guard let date = HTTPDate.date(from: text, now: sent ?? Date()) else { return nil }
            let isStrong = sent.map { $0.timeIntervalSince(date) >= 1 } ?? false
            return Modification(text: text, date: date, isStrong: isStrong)
        }
    }

    /// The date of the `Last-Modified` header, or `nil` if it is missing or malformed.
    public var lastModified: Date? { modification?.date }

    /// Whether there is neither an entity tag nor a date. A request with these validators is not conditional.
    public var isEmpty: Bool { entityTag == nil && modification == nil }

    /// Whether equal validators mean identical bytes, so that a part of the body can be combined with another one
    /// (section 13.1.5).
    ///
    /// This is the case for a strong entity tag. Without any entity tag, it is also the case for a date that is at
    /// least one second before the `Date` of the response (section 8.8.2.2).
    public var isStrong: Bool { rangeValidator != nil }

    /// The value for `If-Range`, or `nil` if the validators are not strong.
    package var rangeValidator: String? {
        if let entityTag { return entityTag.isWeak ? nil : entityTag.description }
        return modification.flatMap { $0.isStrong ? $0.text : nil }
    }

    /// The date for `If-Modified-Since` and `If-Unmodified-Since`, as the server sent it.
    var lastModifiedText: String? { modification?.text }
}

extension ResponseHead {
    /// The entity tag and the date of the last change, for a later conditional request. May be empty.
    public var validators: ResourceValidators { ResourceValidators(headers) }
}

extension ResourceValidators: Codable {
    private enum Key: String, CodingKey {
        case entityTag, lastModified, isLastModifiedStrong
    }

    /// Decodes an object with the values of the `ETag` and `Last-Modified` headers.
    /// - Throws: `DecodingError` if a value is malformed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        entityTag = try values.decodeIfPresent(EntityTag.self, forKey: .entityTag)
        guard let text = try values.decodeIfPresent(String.self, forKey: .lastModified) else {
            modification = nil
            return
        }
        guard let date = HTTPDate.date(from: text, now: Date()) else {
            throw DecodingError.dataCorruptedError(
                forKey: .lastModified, in: values, debugDescription: "expected a date of a header (RFC 9110)")
        }
        let isStrong = try values.decodeIfPresent(Bool.self, forKey: .isLastModifiedStrong) ?? false
        modification = Modification(text: text, date: date, isStrong: isStrong)
    }

    /// Encodes an object with the values of the `ETag` and `Last-Modified` headers. Missing values are omitted.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(entityTag, forKey: .entityTag)
        try values.encodeIfPresent(modification?.text, forKey: .lastModified)
        if modification?.isStrong == true { try values.encode(true, forKey: .isLastModifiedStrong) }
    }
}
