import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The contents of an event stream.
struct ParsedStream: Equatable {
    var events: [ServerSentEvent] = []
    var comments: [String] = []
    var retry: Duration?
    var lastEventID = ""

    /// Parses chunks.
    init(_ chunks: some Sequence<Data>, lastEventID: String = "", limit: Int = EventParser.defaultLimit) throws {
        var parser = EventParser(lastEventID: lastEventID, limit: limit)
        for chunk in chunks {
            parser.append(chunk)
            while let output = try parser.next() {
                switch output {
                case .event(let event): events.append(event)
                case .comment(let text): comments.append(text)
                case .retry(let duration): retry = duration
                }
            }
        }
        self.lastEventID = parser.lastEventID
    }

    /// Parses a stream in one piece, at every split point, and byte by byte. All results must be equal.
    static func all(_ bytes: Data, lastEventID: String = "") throws -> ParsedStream {
        let complete = try ParsedStream([bytes], lastEventID: lastEventID)
        for index in 0...bytes.count {
            let parts = [bytes.prefix(index), Data(), bytes.dropFirst(index)]
            #expect(try ParsedStream(parts, lastEventID: lastEventID) == complete, "split at \(index)")
        }
        #expect(try ParsedStream(bytes.map { Data([$0]) }, lastEventID: lastEventID) == complete, "byte by byte")
        return complete
    }
}

struct EventAPI: APIHandler {
    var url = URL(string: "https://events.example/stream") ?? URL(filePath: "/")
    var method = "GET"
    var headers: [String: String] = [:]
    var idempotency = RequestOptions.Idempotency.byMethod
    var timeout: Duration?
    var redirects = RedirectInterceptor.Policy.follow
    var validators: [ResponseValidator] = [.status()]
    /// Whether each request has another idempotency key.
    var makesKeys = false
    /// Called each time a request is made.
    var made: @Sendable () -> Void = {}

    func makeRequest(from input: Void) -> URLRequest {
        made()
        var request = URLRequest(url: url)
        request.httpMethod = method
        if method != "GET" { request.httpBody = Data("{}".utf8) }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if makesKeys { request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key") }
        return request
    }

    func options(for input: Void) -> RequestOptions {
        var options = RequestOptions()
        (options.idempotency, options.totalTimeout, options.redirects) = (idempotency, timeout, redirects)
        return options
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Data {
        throw ServiceError(.decoding, "parseResponse was called")
    }
}

struct Note: Decodable, Equatable, Sendable {
    let n: Int
}

/// A session with a response body that counts its reads.
struct ProbeSession: APISession {
    let probe: BodyProbe

    func send(_ request: APIRequest) async throws -> APIResponse {
        let url = try #require(request.url)
        let head = ResponseHead(status: 200, headers: ["Content-Type": "text/event-stream"], url: url)
        return APIResponse(head: head, body: probe.body)
    }
}

extension CannedReply {
    /// An event stream in one chunk.
    static func events(_ text: String, status: Int = 200) -> CannedReply {
        .data(Data(text.utf8), type: "text/event-stream", status: status)
    }

    /// An event stream that loses its connection at its end.
    static func lost(_ text: String) -> CannedReply { events(text).truncatingBody(after: text.utf8.count) }

    /// An event stream that does not end.
    static func open(_ text: String) -> CannedReply { events(text).stallingBody(after: text.utf8.count) }
}

extension EventSource {
    /// Returns all elements.
    func all() async throws(ServiceError) -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
