import Errand
import Testing

@Suite struct QueryEncodingTests {
    static let encodables = QueryRow.structs + QueryRow.containers + QueryRow.arrays
    static let values = QueryRow.texts + QueryRow.numbers + QueryRow.dates + QueryRow.foundation

    @Test(arguments: encodables + values + QueryRow.dictionaries)
    func `a value is encoded as the expected query`(row: QueryRow) throws {
        #expect(try row.items().query == row.expected)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: QueryRow.wideIntegers)
    func `a 128-bit integer keeps all digits`(row: QueryRow) throws {
        #expect(try row.items().query == row.expected)
    }

    @Test func `the standard encoding has the default options`() {
        #expect(QueryEncoding.standard == QueryEncoding())
        #expect(
            QueryEncoding.standard
                == QueryEncoding(arrays: .repeated, nesting: .brackets, bools: .literal, dates: .iso8601))
    }

    @Test func `each option can be changed independently`() throws {
        var encoding: QueryEncoding = .standard
        encoding.arrays = .brackets
        encoding.nesting = .dots
        encoding.bools = .numeric
        encoding.dates = .secondsSince1970
        let items = try encoding.items(from: ["a": ["b": [true]], "c": [Date(timeIntervalSince1970: 1)]])
        #expect(items.query == "a.b%5B%5D=1&c%5B%5D=1")
    }

    @Test func `names and values of items are not percent-encoded`() throws {
        let items = try QueryEncoding(arrays: .commaSeparated).items(from: ["a b": ["c": ["ä", ","]]])
        #expect(items.items == [QueryItem("a b[c]", elements: ["ä", ","])])
    }
}
