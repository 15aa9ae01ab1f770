import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventSourceTests {
    private func loader(
        _ api: EventAPI = EventAPI(), _ session: some APISession, _ time: some TimeSource = InstantClock()
    ) -> APILoader<EventAPI> {
        APILoader(api, session: session, time: time, random: FixedRandom(fraction: 0))
    }

    @Test func `events are delivered across connections`() async throws {
        let script = ScriptedSession([
            .events("id: 1\ndata: a\n\nid: 2\nevent: b\ndata: b\n\nid: 3\ndata: lost"), .failure(URLError(.timedOut)),
            .lost("retry: 200\ndata: c\n\n"), .events("id:\ndata: d\n\n"), .status(204),
        ])
        let clock = InstantClock()
        let made = Locked(0)
        let api = EventAPI(made: { made.withLock { $0 += 1 } })
        let source = loader(api, script, clock).events()
        let events = try await source.all()
        #expect(
            events == [
                ServerSentEvent(data: "a", id: "1"), ServerSentEvent(type: "b", data: "b", id: "2"),
                ServerSentEvent(data: "c", id: "2"), ServerSentEvent(data: "d"),
            ])
        try script.verify()
        let sent = script.recorded.map(\.headers)
        #expect(sent.map { $0["Last-Event-ID"] } == [nil, "2", "2", "2", nil])
        #expect(sent.allSatisfy { $0["Accept"] == "text/event-stream" && $0["Cache-Control"] == "no-cache" })
        #expect(script.recorded.allSatisfy { $0.options.cachePolicy == .reloadIgnoringLocalCacheData })
        #expect(clock.waits == [.seconds(3), .seconds(3), .milliseconds(200), .milliseconds(200)])
        #expect(made.withLock { $0 } == 5, "the handler makes each request")
        let notes = source.trail.events.filter { $0.source == .events }.map(\.message)
        #expect(
            notes == [
                "connection 1: status 200, 2 events in 0.0 ms; ended by the server; reconnect in 3000.0 ms",
                "connection 2: timeout; reconnect in 3000.0 ms",
                "connection 3: status 200, 1 events in 0.0 ms; connection-lost; reconnect in 200.0 ms",
                "connection 4: status 200, 1 events in 0.0 ms; ended by the server; reconnect in 200.0 ms",
                "connection 5: ended by the server",
            ])
    }

    @Test func `headers of the handler and the initial event ID are sent`() async throws {
        let script = ScriptedSession([.status(204)])
        var options = EventOptions()
        options.lastEventID = "…"
        options.idleTimeout = .seconds(5)
        let api = EventAPI(headers: ["Accept": "*/*", "Cache-Control": "no-store"])
        #expect(try await loader(api, script).events(options: options).all().isEmpty)
        let sent = try #require(script.recorded.first)
        #expect(sent.headers["Accept"] == "*/*" && sent.headers["Cache-Control"] == "no-store")
        #expect(sent.headers["Last-Event-ID"] == "…" && sent.options.idleTimeout == .seconds(5))
    }

    @Test func `values end at the last event`() async throws {
        let script = ScriptedSession([
            .events("data: {\"n\":1}\n\ndata: {\"n\":2}\n\n"), .events("data: [DONE]\n\ndata: x\n\n"),
        ])
        let source = loader(script).events(as: Note.self, until: "[DONE]")
        #expect(try await source.all() == [Note(n: 1), Note(n: 2)])
        try script.verify()
        #expect(source.trail.events.last?.message.hasSuffix("received the last event") == true)
    }

    @Test func `typed events are selected by their name`() async throws {
        let script = ScriptedSession(answering: { _ in
            .events(
                "data: {}\n\nevent: note\ndata: {\"n\":1}\n\nevent: other\ndata: x\n\nevent: note\ndata: {\"n\":2}\n\n")
        })
        var iterator = loader(script).events().on("note", as: Note.self).makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        #expect(try await iterator.next() == Note(n: 2))
        #expect(try await iterator.next() == Note(n: 1), "from the next connection")
    }

    @Test func `an event that cannot be decoded names its type and ID`() async throws {
        let stream = "data: {\"n\":1}\n\nevent: note\nid: 7\ndata: {\"n\":\"x\"}\n\ndata: {\"n\":3}\n\n"
        let source = loader(ScriptedSession([.events(stream)])).events(as: Note.self)
        var iterator = source.makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(
            error?.code == .decoding && error?.body == Data("{\"n\":\"x\"}".utf8)
                && error?.reason
                    == "the data of the event of type note with the ID 7 cannot be decoded: "
                    + "expected an Int at n, found a string (byte 5)",
            "\(error?.reason ?? "")")
        #expect(error?.request?.method == "GET" && error?.trail.events.isEmpty == false)
        #expect(try await iterator.next() == nil)
        var options = EventOptions()
        options.skipsUndecodable = true
        let script = ScriptedSession([.events(stream), .status(204)])
        let skipping = loader(script).events(as: Note.self, options: options)
        #expect(try await skipping.all() == [Note(n: 1), Note(n: 3)] && skipping.skippedCount == 1)
        #expect(script.recorded.last?.headers["Last-Event-ID"] == "7")
    }

    @Test(arguments: [RequestOptions.Idempotency.byMethod, .always, .byKey])
    func `all requests have the idempotency key of the first one`(idempotency: RequestOptions.Idempotency) async throws
    {
        let api = EventAPI(method: "POST", idempotency: idempotency, makesKeys: true)
        let script = ScriptedSession([.events("data: a\n\n"), .lost("data: b\n\n"), .status(204)])
        #expect(try await loader(api, script).events().all().map(\.data) == ["a", "b"])
        #expect(script.recorded.count == 3)
        #expect(Set(script.recorded.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    @Test(arguments: [RequestOptions.Idempotency.byMethod, .never, .always, .byKey])
    func `a POST request is sent again only if it is declared repeatable`(
        idempotency: RequestOptions.Idempotency
    ) async throws {
        let isRepeatable = idempotency == .always || idempotency == .byKey
        let api = EventAPI(method: "POST", idempotency: idempotency)
        let script = ScriptedSession([.events("data: a\n\n"), .lost("data: b\n\n"), .status(204)])
        let events = try await APILoader(api, session: script, time: InstantClock()).events().all()
        #expect(events.map(\.data) == (isRepeatable ? ["a", "b"] : ["a"]))
        #expect(script.recorded.count == (isRepeatable ? 3 : 1))
        #expect(script.recorded.allSatisfy { $0.body == .data(Data("{}".utf8)) && $0.method == .post })
        let keys = Set(script.recorded.map { $0.headers["Idempotency-Key"] })
        #expect(keys.count == 1 && (keys.first != .some(nil)) == (idempotency == .byKey))
        for reply in [CannedReply.lost("data: 1\n\n"), .failure(URLError(.cannotConnectToHost))] where !isRepeatable {
            let error = await #expect(throws: ServiceError.self) {
                try await loader(api, ScriptedSession([reply])).events().all()
            }
            #expect(error?.code == .connectionLost || error?.code == .connection)
        }
    }

    @Test func `a chat that ends before its last event is truncated`() async throws {
        let script = ScriptedSession([.events("data: {\"n\":1}\n\n")])
        var iterator = loader(EventAPI(method: "POST"), script).events(as: Note.self, until: "[DONE]")
            .makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost && error?.response == nil)
    }

    @Test func `activities show the connection and comments`() async throws {
        let script = ScriptedSession([.events(": hi\ndata: a\n\n"), .failure(URLError(.timedOut)), .status(204)])
        let texts = try await loader(script).events().activities.all().map { activity in
            switch activity {
            case .opened(let head): "opened \(head.status)"
            case .event(let event): event.data
            case .comment(let text): text
            case .disconnected(let error, let wait): "\(error?.code.rawValue ?? "ended") \(wait)"
            }
        }
        #expect(texts == ["opened 200", " hi", "a", "ended 3.0 seconds", "timeout 3.0 seconds"])
    }

    @Test(arguments: [EventOptions.Statuses.standard, .lenient])
    func `a refused stream has the error of the server`(statuses: EventOptions.Statuses) async throws {
        var options = EventOptions()
        options.statuses = statuses
        for validators in [[ResponseValidator.status()], []] {
            let script = ScriptedSession([
                .json("{}", status: 503).header("Retry-After", "7"), .json("{}", status: 404),
            ])
            let clock = InstantClock()
            let source = loader(EventAPI(validators: validators), script, clock).events(options: options)
            let error = await #expect(throws: ServiceError.self) { try await source.all() }
            #expect(error?.code == .status && error?.status == (statuses == .standard ? 503 : 404))
            #expect(clock.waits == (statuses == .standard ? [] : [.seconds(7)]))
        }
        let json = ScriptedSession([.json("data: a\n\n"), .status(204)])
        let events = try? await loader(json).events(options: options).all()
        #expect(events?.map(\.data) == (statuses == .standard ? nil : ["a"]))
    }

    @Test func `the validators find the body of a JSON response`() async throws {
        for (type, isFound) in [("application/json", true), ("application/problem+json", true), ("text/plain", false)] {
            let reply = CannedReply.data(Data("{}".utf8), type: type)
            let bodies = Locked<[Data]>([])
            let validator = ResponseValidator { _, _, body in bodies.withLock { $0.append(body) } }
            let api = EventAPI(validators: [validator])
            let error = await #expect(throws: ServiceError.self) {
                try await loader(api, ScriptedSession([reply])).events().all()
            }
            #expect(error?.code == .validation && (error?.body == Data("{}".utf8)) == isFound, "\(type)")
            #expect(bodies.withLock { $0 } == [isFound ? Data("{}".utf8) : Data()], "\(type)")
        }
    }

    @Test func `an event beyond the limit is an error`() async throws {
        var options = EventOptions()
        options.eventLimit = 10
        let script = ScriptedSession([.events("data: a\n\ndata: 123456789\n\n")])
        var iterator = loader(script).events(options: options).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `repeated failures end the source`() async throws {
        let script = ScriptedSession(answering: { _ in throw URLError(.cannotConnectToHost) })
        let clock = InstantClock()
        let error = await #expect(throws: ServiceError.self) { try await loader(script, clock).events().all() }
        #expect(error?.code == .connection && script.recorded.count == 21 && clock.waits.count == 20)
        let silent = ScriptedSession(answering: { _ in .events(": hi\n\n") })
        let ended = await #expect(throws: ServiceError.self) { try await loader(silent).events().all() }
        #expect(ended?.code == .connectionLost && silent.recorded.count == 21)
    }

    private func loader(
        _ session: some APISession, _ time: some TimeSource = InstantClock()
    ) -> APILoader<EventAPI> {
        loader(EventAPI(), session, time)
    }
}
