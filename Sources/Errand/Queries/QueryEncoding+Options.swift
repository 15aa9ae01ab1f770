extension QueryEncoding {
    /// The encoding of arrays.
    ///
    /// Every style encodes an array that contains arrays or members like ``indices`` (`a[0][b]=1&a[1][b]=2`), because
    /// no other form shows which element a member belongs to. Elements that are `nil` or empty are omitted and not
    /// counted.
    public struct Arrays: Sendable, Hashable {
        enum Style { case repeated, brackets, indices, commaSeparated }
        let style: Style

        /// The name, repeated for each element: `a=1&a=2`.
        public static let repeated: Self = .init(style: .repeated)
        /// The name with empty brackets for each element: `a[]=1&a[]=2`.
        public static let brackets: Self = .init(style: .brackets)
        /// The name with the index of each element: `a[0]=1&a[1]=2`. Dotted nesting keeps these brackets: `a[0].b=1`.
        public static let indices: Self = .init(style: .indices)
        /// One item with comma-separated elements: `a=1,2`.
        ///
        /// The separating comma is not encoded, in queries and in form bodies. A comma inside an element is `%2C`.
        public static let commaSeparated: Self = .init(style: .commaSeparated)
    }

    /// The encoding of the names of nested members.
    public struct Nesting: Sendable, Hashable {
        enum Style { case brackets, dots }
        let style: Style

        /// The inner name in brackets: `a[b]=1`.
        public static let brackets: Self = .init(style: .brackets)
        /// The inner name after a dot: `a.b=1`.
        public static let dots: Self = .init(style: .dots)
    }

    /// The encoding of `Bool` values.
    public struct Bools: Sendable, Hashable {
        enum Style { case literal, numeric }
        let style: Style

        /// `true` and `false`.
        public static let literal: Self = .init(style: .literal)
        /// `1` and `0`.
        public static let numeric: Self = .init(style: .numeric)
    }

    /// The encoding of `Date` values, rounded to the millisecond. A date outside the years 0 to 9999 is an error.
    public struct Dates: Sendable, Hashable {
        enum Style { case iso8601, secondsSince1970 }
        let style: Style

        /// UTC in the format of RFC 3339, section 5.6: `2024-05-06T07:08:09Z`. If the date has a fraction of a second,
        /// it has three decimals: `2024-05-06T07:08:09.500Z`.
        public static let iso8601: Self = .init(style: .iso8601)
        /// The seconds since 1970 in UTC. If the date has a fraction of a second, it has decimals: `1714979289.5`.
        public static let secondsSince1970: Self = .init(style: .secondsSince1970)
    }
}
