import ErrandSupport

/// A parser of `Retry-After` headers (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The maximum wait: one day. A longer wait is shortened.
    package static let longest: Duration = .seconds(86_400)

    /// Returns the wait of a `Retry-After` header, between zero and ``longest``. Returns `nil` if the header is
    /// missing, or is neither a number of seconds nor a date.
    ///
    /// A date is relative to the `Date` header of the response, so that a difference between the clocks has no
    /// effect. If the response has no `Date`, it is relative to `now`.
    package static func wait(_ fields: HeaderFields, now: Date) -> Duration? {
        guard let value = fields["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
            // A number that exceeds 64 bits is limited, too.
            return .seconds(min(Int64(value) ?? .max, longest.components.seconds))
        }
        guard let date = HTTPDate.date(from: value, now: now) else { return nil }
        let origin = fields["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        let seconds = date.timeIntervalSince(origin)
        return .seconds(min(max(0, seconds), 86_400))
    }
}
