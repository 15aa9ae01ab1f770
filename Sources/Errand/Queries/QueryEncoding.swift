/// The encoding of values as query items or form fields: the options for which servers have different conventions.
///
/// ```swift
/// var encoding: QueryEncoding = .standard
/// encoding.arrays = .brackets             // tags[]=a&tags[]=b
/// encoding.dates = .secondsSince1970      // since=1714979289
/// ```
/// The following rules are fixed:
/// - `nil` is omitted: at the top level, nested, and in arrays. So are an empty array and an empty dictionary.
/// - Structs keep the order of their members. Dictionaries are sorted by key, and sets of single values by text, so
///   that equal values produce equal URLs.
/// - Numbers have their shortest form: `1.0` is `1`, `0.1` is `0.1`. A number that is not finite is an error.
/// - `Data` is base64 (RFC 4648, section 4), `URL` its absolute string, `UUID` its uppercase string, `Decimal` all its
///   digits.
/// - In a query, only the unreserved characters are not encoded (RFC 3986, section 2.3). All others are the `%XX` of
///   their UTF-8 bytes: a space is `%20`, `+` is `%2B`, and the brackets of a nested name are `%5B` and `%5D`, because
///   a query must not contain brackets (section 3.4). Form bodies follow the URL standard (section 5.2): a space is
///   `+`.
/// - More than 64 levels of nesting are an error.
public struct QueryEncoding: Sendable, Hashable {
    /// The encoding of arrays. The default is ``Arrays/repeated``.
    public var arrays: Arrays
    /// The encoding of the names of nested members. The default is ``Nesting/brackets``.
    public var nesting: Nesting
    /// The encoding of `Bool` values. The default is ``Bools/literal``.
    public var bools: Bools
    /// The encoding of `Date` values. The default is ``Dates/iso8601``.
    public var dates: Dates

    /// Creates an encoding. The default options are those of ``standard``.
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
