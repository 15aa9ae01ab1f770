extension QueryEncoding {
    /// How an array is written.
    ///
    /// Every style writes an array that holds arrays or members as ``indices`` does (`a[0][b]=1&a[1][b]=2`): no other
    /// form says which element a member belongs to. Elements that are `nil` or empty are left out and not counted.
    public struct Arrays: Sendable, Hashable {
        enum Style { case repeated, brackets, indices, commaSeparated }
        let style: Style

        /// The name once for each element: `a=1&a=2`.
        public static let repeated: Self = .init(style: .repeated)
        /// The name with empty brackets for each element: `a[]=1&a[]=2`.
        public static let brackets: Self = .init(style: .brackets)
        /// The name with each element's number: `a[0]=1&a[1]=2`. Dotted nesting keeps these brackets: `a[0].b=1`.
        public static let indices: Self = .init(style: .indices)
        /// One item, its elements separated by commas: `a=1,2`.
        ///
        /// The comma that separates stays bare, in queries and in form bodies; a comma inside an element is `%2C`.
        public static let commaSeparated: Self = .init(style: .commaSeparated)
    }

    /// How the name of a member of a member is written.
    public struct Nesting: Sendable, Hashable {
        enum Style { case brackets, dots }
        let style: Style

        /// The inner name in brackets: `a[b]=1`.
        public static let brackets: Self = .init(style: .brackets)
        /// The inner name after a dot: `a.b=1`.
        public static let dots: Self = .init(style: .dots)
    }

    /// How a `Bool` is written.
    public struct Bools: Sendable, Hashable {
        enum Style { case literal, numeric }
        let style: Style

        /// `true` and `false`.
        public static let literal: Self = .init(style: .literal)
        /// `1` and `0`.
        public static let numeric: Self = .init(style: .numeric)
    }

    /// How a `Date` is written, rounded to the millisecond; the years 0 to 9999, any other is an error.
    public struct Dates: Sendable, Hashable {
        enum Style { case iso8601, secondsSince1970 }
        let style: Style

        /// UTC as in RFC 3339, section 5.6: `2024-05-06T07:08:09Z`, with three decimals where the date has a fraction of
        /// a second: `2024-05-06T07:08:09.500Z`.
        public static let iso8601: Self = .init(style: .iso8601)
        /// The seconds since 1970 in UTC, with decimals where the date has a fraction of a second: `1714979289.5`.
        public static let secondsSince1970: Self = .init(style: .secondsSince1970)
    }
}
