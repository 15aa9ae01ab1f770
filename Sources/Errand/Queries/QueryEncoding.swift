/// How a value becomes query items or form fields: the choices that servers do not agree on.
///
/// ```swift
/// var encoding: QueryEncoding = .standard
/// encoding.arrays = .brackets             // tags[]=a&tags[]=b
/// encoding.dates = .secondsSince1970      // since=1714979289
/// ```
/// What no option changes:
/// - `nil` is left out: at the top, nested, in arrays. So is what holds nothing: an empty array, an empty dictionary.
/// - Structs keep the order of their members; dictionaries are sorted by key, and sets of single values by text, so
///   that equal values make equal addresses.
/// - Numbers take their shortest form: `1.0` is `1`, `0.1` is `0.1`. One that is not finite is an error.
/// - `Data` is base64 (RFC 4648, section 4), `URL` its absolute text, `UUID` its upper-case text, `Decimal` all its
///   digits.
/// - In a query only the unreserved characters stay as they are (RFC 3986, section 2.3); all others are `%XX` of their
///   UTF-8, so that a space is `%20`, `+` is `%2B`, and the brackets of a nested name are `%5B` and `%5D`, which a
///   query may not hold bare (section 3.4). Form bodies follow the URL standard (section 5.2): a space is `+`.
/// - More than 64 levels, one within another, are an error.
public struct QueryEncoding: Sendable, Hashable {
    /// How arrays are written; ``Arrays/repeated`` unless said otherwise.
    public var arrays: Arrays
    /// How the names of nested members are written; ``Nesting/brackets`` unless said otherwise.
    public var nesting: Nesting
    /// How `Bool` is written; ``Bools/literal`` unless said otherwise.
    public var bools: Bools
    /// How `Date` is written; ``Dates/iso8601`` unless said otherwise.
    public var dates: Dates

    /// Makes an encoding; what is not given is as in ``standard``.
    public init(
        arrays: Arrays = .repeated, nesting: Nesting = .brackets, bools: Bools = .literal, dates: Dates = .iso8601
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.bools = bools
        self.dates = dates
    }

    /// Repeated arrays, bracketed nesting, `true` and `false`, ISO 8601 dates.
    public static let standard: QueryEncoding = .init()
}
