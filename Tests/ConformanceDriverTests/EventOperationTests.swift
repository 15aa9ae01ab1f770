import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventOperationTests {
    /// A driver with open event streams.
    private struct Session {
        let driver: RunningProgram

        init(_ arguments: [String] = []) throws {
            driver = try RunningProgram(try #require(Executable(product: "conformance-driver")), arguments)
        }

        func send(_ fields: [String: Any]) throws {
            try driver.write(String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self))
        }

        /// Returns the next response, without its identifier, as text.
        func next() async throws -> String {
            let line = try #require(await driver.next())
            var fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            fields["id"] = nil
            let data = try JSONSerialization.data(
                withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
            return String(decoding: data, as: UTF8.self)
        }
    }

    private static func event(_ data: String, id: String = "", type: String = "message") -> String {
        #"{"event":{"data":"\#(data)","id":"\#(id)","type":"\#(type)"}}"#
    }

    @Test func `a stream is parsed from its chunks`() async throws {
        let chunks = ["id: 1\rretry: 20\r", "\nevent: a\ndata: b\n\nid: 2\ndata"].map {
            Data($0.utf8).base64EncodedString()
        }
        let results = try await ConformanceDriver.ask([
            ["id": 1, "op": "sse-parse", "chunksBase64": chunks], ["id": 2, "op": "sse-parse", "chunksBase64": []],
            ["id": 3, "op": "sse-parse", "chunksBase64": ["!"]],
        ])
        #expect(results[1]?["events"] as? [[String: String]] == [["type": "a", "data": "b", "id": "1"]])
        #expect(results[1]?["retry"] as? Int == 20 && results[1]?["lastEventId"] as? String == "1")
        #expect(results[2]?["retry"] is NSNull && results[2]?["lastEventId"] as? String == "")
        #expect((results[3]?["error"] as? String)?.hasPrefix("encoding: ") == true)
    }

    @Test(arguments: ConformanceDriverTests.sessions)
    func `a stream reports its events, comments and failures`(arguments: [String]) async throws {
        try await LoopbackServer.withServer { request in
            let answer = "\(request.method) \(request["X-A"] ?? "") \(String(decoding: request.body, as: UTF8.self))"
            switch request["Last-Event-ID"] {
            case "0": return .data(Data(":hi\nid: 1\ndata: \(answer)\n\n".utf8), type: "text/event-stream")
            case "1": return .data(Data("id: 2\nevent: x\ndata: \(answer)\n\n".utf8), type: "text/event-stream")
            default: return .status(404)
            }
        } _: { server in
            let session = try Session(arguments)
            try session.send([
                "id": 1, "op": "sse-open", "url": server.url.absoluteString, "method": "POST", "body": "b",
                "headers": [["X-A", "a"]], "lastEventId": "0", "initialDelayMs": 0,
            ])
            let ended = #"{"failure":"the server ended the stream"}"#
            let expected = [
                #"{"opened":true}"#, #"{"comment":"hi"}"#, Self.event("POST a b", id: "1"), ended,
                #"{"opened":true}"#, Self.event("POST a b", id: "2", type: "x"), ended,
                #"{"failure":"status: the server responded with status 404"}"#, #"{"closed":true}"#,
            ]
            for line in expected { #expect(try await session.next() == line) }
            try session.send(["id": 2, "op": "sse-close", "stream": 1])
            #expect(try await session.next() == #"{"ok":true}"#)
            try session.send(["id": 3, "op": "sse-restart", "stream": 9])
            #expect(try await session.next().hasPrefix(#"{"error":"configuration: "#))
            #expect(try await session.driver.end() == 0)
        }
    }

    @Test(arguments: ConformanceDriverTests.sessions)
    func `a stream is restarted and closed`(arguments: [String]) async throws {
        try await LoopbackServer.withServer { request in
            let id = request["Last-Event-ID"] ?? ""
            return .stream(type: "text/event-stream") { writer in
                try await writer.write("id: \(id)1\ndata: a\n\n")
                await waitUntilCancelled()
            }
        } _: { server in
            let session = try Session(arguments)
            try session.send(["id": 1, "op": "sse-open", "url": server.url.absoluteString])
            #expect(try await session.next() == #"{"opened":true}"#)
            #expect(try await session.next() == Self.event("a", id: "1"))
            for id in ["11", "111"] {
                try session.send(["id": 2, "op": "sse-restart", "stream": 1])
                // The response to the restart and the next connection are concurrent.
                var lines: Set<String> = []
                for _ in 1...3 { lines.insert(try await session.next()) }
                #expect(lines == [#"{"ok":true}"#, #"{"opened":true}"#, Self.event("a", id: id)])
            }
            try session.send(["id": 3, "op": "sse-close", "stream": 1])
            #expect(try await session.next() == #"{"closed":true}"#)
            #expect(try await session.next() == #"{"ok":true}"#)
            // The end of the input closes a stream that is open.
            try session.send(["id": 4, "op": "sse-open", "url": server.url.absoluteString])
            for _ in 1...2 { _ = try await session.next() }
            #expect(try await session.driver.end() == 0)
            #expect(try await session.next() == #"{"closed":true}"#)
        }
    }

    @Test(arguments: ConformanceDriverTests.sessions)
    func `the read timeout is a failure, after which the stream is opened again`(arguments: [String]) async throws {
        try await LoopbackServer.withServer { _ in
            .stream(type: "text/event-stream") { writer in
                try await writer.write("data: a\n\n")
                await waitUntilCancelled()
            }
        } _: { server in
            let session = try Session(arguments)
            // On a busy machine, the response takes part of this time, too.
            try session.send([
                "id": 1, "op": "sse-open", "url": server.url.absoluteString,
                "readTimeoutMs": max(5_000, 2_000 * TestEnvironment.patience), "initialDelayMs": 0,
            ])
            #expect(try await session.next() == #"{"opened":true}"#)
            #expect(try await session.next() == Self.event("a"))
            #expect(try await session.next().hasPrefix(#"{"failure":"timeout: "#))
            #expect(try await session.next() == #"{"opened":true}"#)
            #expect(try await session.next() == Self.event("a"))
            _ = try await session.driver.end()
        }
    }
}
