import Errand
import ErrandTesting
import TestSupport
import Testing

/// A handler in the style of tutorials: its input is a plain dictionary.
struct DictionaryGalleryAPI: APIHandler {
    func makeRequest(from params: [String: any Sendable]) throws -> URLRequest {
        var request = URLRequest(url: try ShopEnvironment.production.url(for: "photos?page=9&x=1"))
        try setQueryParams(params, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Greeting] {
        try defaultParseResponse(data: data, response: response)
    }
}

@Suite struct DictionaryHandlerTests {
    @Test func `a dictionary is the input of a handler`() async throws {
        let session = ScriptedSession([.json(#"[{"text":"a"}]"#)])
        let loader = APILoader(apiHandler: DictionaryGalleryAPI(), urlSession: session)
        let greetings = try await loader.load(["page": 1, "per_page": 10, "q": "two words", "none": nil as Int?])
        #expect(greetings == [Greeting(text: "a")])
        let url = session.recorded.first?.head.url?.absoluteString
        #expect(
            url
                == "https://api.shop.test/v1/photos?x=1&none&page=1&per_page=10&q=two%20words".replacing(
                    "none&", with: ""))
    }

    @Test func `a string dictionary sets the query`() throws {
        var request = URLRequest(url: try ShopEnvironment.production.url(for: "photos"))
        let words = ["b": "ü", "a": "1"]
        try DictionaryGalleryAPI().setQueryParams(words, on: &request)
        #expect(request.url?.query(percentEncoded: true) == "a=1&b=%C3%BC")
    }

    @Test func `setting another body keeps the first content type`() throws {
        var request = URLRequest(url: try ShopEnvironment.production.url(for: "photos"))
        try DictionaryGalleryAPI().setFormBody(["a": "1 2"], on: &request)
        #expect(request.httpBody == Data("a=1+2".utf8))
        try DictionaryGalleryAPI().setJSONBody(Greeting(text: "x/y"), on: &request)
        #expect(request.httpBody == Data(#"{"text":"x/y"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
    }

    struct Languages: Sendable { let list: [String]; let value: String }

    @Test(arguments: [
        Languages(list: [], value: "en"),
        Languages(list: ["sv_SE"], value: "sv-SE"),
        Languages(list: ["sv-SE", "en", "de"], value: "sv-SE, en;q=0.9, de;q=0.8"),
        Languages(list: ["a", "b", "c", "d", "e", "f", "g"], value: "a, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"),
        Languages(list: ["e\r\nX: y", "fr"], value: "fr"),
    ])
    func `languages are listed in order of preference`(row: Languages) {
        #expect(AcceptLanguage.value(for: row.list) == row.value)
    }
}
