import Errand
import Testing

@Suite struct ServiceErrorTests {
    @Test func `an error has a log line and a user-facing message`() throws {
        let url = try #require(URL(string: "https://a.test/p?key=abc&page=2"))
        var error = ServiceError(.status, "the server responded with status 404")
        error.request = ServiceError.RequestSummary(URLRequest(url: url))
        error.response = ResponseHead(status: 404, url: url)
        #expect(
            "\(error)" == "status 404 GET https://a.test/p?key=‹redacted›&page=2: the server responded with status 404")
        #expect(error.localizedDescription == "This could not be found.")
    }

    @Test(arguments: [
        ServiceError.Code.configuration, .encoding, .cancelled, .timeout, .connection, .connectionLost, .tls,
        .badResponse,
        .bodyTooLarge, .transport, .status, .validation, .decoding, .init("my-own"),
    ])
    func `every code has a user-facing message`(code: ServiceError.Code) throws {
        let sentence = try #require(ServiceError(code, "x").errorDescription)
        #expect(sentence.hasSuffix(".") && !sentence.contains("x:"))
    }
}
