import Errand
import ErrandTesting
import Testing

/// A handler implements one of the two `parseResponse` methods.
@Suite struct ParsingFormTests {
    struct ByResponse: ResponseHandler {
        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { response.statusCode }
    }

    struct ByHead: ResponseHandler {
        func parseResponse(data: Data, head: ResponseHead) -> Int { head.status }
    }

    struct Neither: ResponseHandler {
        typealias ResponseDataType = Int
    }

    /// Wraps another handler with the `parseResponse` method that the other handler does not implement.
    struct Wrapper: ResponseHandler {
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
            try ByHead().parseResponse(data: data, response: response)
        }
    }

    static let handlers: [any ResponseHandler<Int>] = [ByResponse(), ByHead(), Wrapper()]

    @Test(arguments: handlers.indices) func `both parseResponse methods return the same value`(index: Int) throws {
        let head = ResponseHead(status: 203, headers: [:], url: try #require(URL(string: "http://api.test/")))
        #expect(try Self.handlers[index].parseResponse(data: Data(), head: head) == 203)
        #expect(try Self.handlers[index].parseResponse(data: Data(), response: head.httpURLResponse()) == 203)
    }

    @Test func `a handler without a parseResponse method throws a configuration error`() throws {
        let head = ResponseHead(status: 203, headers: [:], url: try #require(URL(string: "http://api.test/")))
        let errors = [
            #expect(throws: ServiceError.self) { try Neither().parseResponse(data: Data(), head: head) },
            #expect(throws: ServiceError.self) {
                try Neither().parseResponse(data: Data(), response: head.httpURLResponse())
            },
        ]
        for error in errors {
            #expect(error?.code == .configuration)
            #expect(error?.reason.contains("parseResponse(data:response:) or parseResponse(data:head:)") == true)
        }
    }
}
