import Errand
import Testing

@Suite struct BodyParserTests {
    @Test func `the requested type selects bytes, text, an optional or JSON`() throws {
        let parser = BodyParser()
        let bytes: Data = try parser.parse(Data([1, 2]), contentType: nil)
        #expect(bytes == Data([1, 2]))
        let text: String = try parser.parse(Data("\"hé\"".utf8), contentType: nil)
        #expect(text == "\"hé\"")
        let none: Greeting? = try parser.parse(Data(), contentType: nil)
        #expect(none == nil)
        let some: Greeting? = try parser.parse(Data(#"{"text":"a"}"#.utf8), contentType: nil)
        #expect(some == Greeting(text: "a"))
        let noBytes: Data? = try parser.parse(Data(), contentType: nil)
        #expect(noBytes == nil)
        let someText: String? = try parser.parse(Data("hello".utf8), contentType: nil)
        #expect(someText == "hello")
        let noText: String = try parser.parse(Data(), contentType: nil)
        #expect(noText.isEmpty)
    }

    struct Text: Sendable { let type: String; let bytes: [UInt8]; let text: String? }

    @Test(arguments: [
        Text(type: "text/plain; charset=iso-8859-1", bytes: [0xE9], text: "é"),
        Text(type: "text/plain;charset=\"UTF-8\"", bytes: [0xC3, 0xA9], text: "é"),
        Text(type: "text/plain; charset=windows-1252", bytes: [0x80], text: "€"),
        Text(type: "text/plain", bytes: [0xFF], text: nil),
        Text(type: "text/plain; charset=klingon", bytes: [0x41], text: nil),
    ])
    func `text is decoded in the charset of the response`(row: Text) throws {
        let parser = BodyParser()
        if let expected = row.text {
            let text: String = try parser.parse(Data(row.bytes), contentType: row.type)
            #expect(text == expected)
        } else {
            let error = #expect(throws: ServiceError.self) {
                let _: String = try parser.parse(Data(row.bytes), contentType: row.type)
            }
            #expect(error?.code == .decoding)
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let body: String
        let reason: String
        var testDescription: String { body }
    }

    struct Page: Decodable { struct Item: Decodable { let id: Int }; let items: [Item]; let date: Date? }

    @Test(arguments: [
        Broken(
            body: #"{"items":[{"id":1},{"id":"x"}]}"#,
            reason: "expected an Int at items[1].id, found a string (byte 25)"),
        Broken(body: #"{"items":[{}]}"#, reason: "items[0].id is missing (object at byte 10)"),
        Broken(body: #"{"items":null}"#, reason: "expected an array at items, found null (byte 9)"),
        Broken(
            body: #"{"items":[],"date":"soon"}"#, reason: "expected an ISO 8601 date and time at date (byte 19)"),
        Broken(body: #"{"#, reason: "the body is not valid JSON (byte 1)"),
        Broken(body: "", reason: "expected a Page, found an empty body"),
    ])
    func `a decoding error names the coding path but no value`(row: Broken) throws {
        let error = #expect(throws: ServiceError.self) {
            let _: Page = try BodyParser().parse(Data(row.body.utf8), contentType: nil)
        }
        #expect(error?.code == .decoding)
        #expect(error?.reason == row.reason)
    }
}
