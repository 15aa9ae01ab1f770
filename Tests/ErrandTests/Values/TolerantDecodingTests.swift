import Errand
import Testing

@Suite struct TolerantDecodingTests {
    struct Bank: Codable, Equatable {
        @StringID var id: String
        @StringID var parent: String?
    }

    struct Row: Sendable { let json: String; let id: String?; let parent: String? }

    @Test(arguments: [
        Row(json: #"{"id":"a7"}"#, id: "a7", parent: nil),
        Row(json: #"{"id":7}"#, id: "7", parent: nil),
        Row(json: #"{"id":-7,"parent":8}"#, id: "-7", parent: "8"),
        Row(json: #"{"id":18446744073709551615,"parent":null}"#, id: "18446744073709551615", parent: nil),
        Row(json: #"{"id":1.5}"#, id: nil, parent: nil),
        Row(json: #"{"id":true}"#, id: nil, parent: nil),
        Row(json: #"{"id":null}"#, id: nil, parent: nil),
        Row(json: #"{}"#, id: nil, parent: nil),
    ])
    func `an identifier is decoded as a string`(row: Row) throws {
        let bank = try? JSONDecoder.errand.decode(Bank.self, from: Data(row.json.utf8))
        #expect(bank?.id == row.id)
        #expect(bank?.parent == row.parent)
    }

    @Test func `an identifier is encoded as a string, nil is omitted`() throws {
        let data = try JSONEncoder.errand.encode(Bank(id: "7", parent: nil))
        #expect(String(decoding: data, as: UTF8.self) == #"{"id":"7"}"#)
    }

    struct Page: Codable, Equatable { @LossyArray var items: [Bank] }

    @Test func `a lossy array keeps valid elements and reports the others`() throws {
        let json = Data(#"{"items":[{"id":1},{"idea":2},{"id":3},null]}"#.utf8)
        let page = try JSONDecoder.errand.decode(Page.self, from: json)
        #expect(page.items.map(\.id) == ["1", "3"])
        #expect(page.$items.count == 2 && page.$items.allSatisfy { $0 is DecodingError })
        let text = String(decoding: try JSONEncoder.errand.encode(page), as: UTF8.self)
        #expect(text == #"{"items":[{"id":"1"},{"id":"3"}]}"#)
    }

    enum Orientation: String { case landscape, portrait }

    @Test func `an open enum keeps unknown values`() throws {
        let list = try JSONDecoder.errand.decode(
            [OpenEnum<Orientation>].self, from: Data(#"["portrait","round"]"#.utf8))
        try #require(list.count == 2)
        #expect(list[0] == .portrait && list[0].value == .portrait)
        #expect(list[1] == .unknown("round") && list[1].value == nil)
        #expect(String(decoding: try JSONEncoder.errand.encode(list), as: UTF8.self) == #"["portrait","round"]"#)
    }
}
