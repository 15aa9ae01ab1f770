import ErrandSupport

/// How long a server asks to wait (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest wait that is taken at its word: a day.
    package static let longest: Duration = .seconds(86_400)

    /// The wait that an answer's `Retry-After` asks for, within zero and ``longest``; nil where there is none, or one that
    /// is neither seconds nor a date.
    ///
    /// A date counts from the answer's own `Date` where it has one, so that clocks that differ do no harm; else from
    /// `now`.
    package static func wait(_ fields: HeaderFields, now: Date) -> Duration? {
        guard let value = fields["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
            // A number too large for 64 bits is a long time, too.
            return .seconds(min(Int64(value) ?? .max, longest.components.seconds))
        }
        guard let date = HTTPDate.date(from: value, now: now) else { return nil }
        let origin = fields["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        let seconds = date.timeIntervalSince(origin)
        return .seconds(min(max(0, seconds), 86_400))
    }
}
