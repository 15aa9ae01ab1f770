import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventRecipeTests {
    private func news(_ replies: String...) -> APILoader<NewsAPI> {
        let streams = replies.map { CannedReply.data(Data($0.utf8), type: "text/event-stream") }
        let news = CustomEnvironment<APIPath>(name: "news", baseURL: "https://news.example")
        return APILoader(
            NewsAPI(environment: news), session: ScriptedSession(streams + [.status(204)]), time: InstantClock(),
            random: FixedRandom(fraction: 0))
    }

    @Test func `events are shown, selected and stored`() async throws {
        var shown: [String] = []
        try await follow("sport", with: news("data: a\n\n", "event: b\ndata: c\n\n")) { shown.append($0) }
        #expect(shown == ["message: a", "b: c"])
        var amounts: [Double] = []
        let prices = "event: price\ndata: {\"symbol\":\"X\",\"amount\":1.5}\n\ndata: ignored\n\n"
        try await followPrices(with: news(prices)) { amounts.append($0.amount) }
        #expect(amounts == [1.5])
        var ids: [String] = []
        try await resume(after: "6", with: news("id: 7\ndata: a\n\n", "data: b\n\n")) { ids.append($0.id) }
        #expect(ids == ["7", "7"])
        var states: [String] = []
        try await watch(news(":\ndata: a\n\n").events("sport")) { states.append($0) }
        #expect(states == ["online", "received message", "offline, next attempt in 3.0 seconds"])
    }

    @Test func `the entries of a log are decoded while they arrive`() async throws {
        let log = #"{"level":"info","message":"a"}"# + "\n" + #"{"level":"error","message":"b"}"# + "\n"
        let shop = CustomEnvironment<APIPath>(name: "shop", baseURL: "https://shop.example")
        let session = ScriptedSession([.data(Data(log.utf8), type: "application/x-ndjson")])
        let loader = APILoader(LogAPI(environment: shop), session: session)
        #expect(try await failures(of: "cart", with: loader) == ["b"])
    }

    @Test func `customers are imported while they arrive`() async throws {
        let customers = Data(#"[{"id":"1","name":"Ada"},{"id":"2","name":"Bo"}]"#.utf8)
        let api = CustomersAPI(environment: CustomEnvironment<APIPath>(name: "shop", baseURL: "https://shop.example"))
        var names: [String] = []
        try await importCustomers(with: APILoader(api, session: ScriptedSession([.data(customers)]))) {
            names.append($0.name)
        }
        #expect(names == ["Ada", "Bo"])
    }

    @Test func `a chat is completed over a real connection`() async throws {
        try await LoopbackServer.withServer { request in
            guard request["Authorization"] == "Bearer k", request.path == "/v1/chat/completions" else {
                return .status(401)
            }
            let isStreamed = String(decoding: request.body, as: UTF8.self).contains(#""stream":true"#)
            let texts = isStreamed ? ["Hel", "lo", "!"] : []
            return .stream(type: "text/event-stream") { writer in
                for text in texts {
                    try await writer.write("data: {\"choices\":[{\"delta\":{\"content\":\"\(text)\"}}]}\n\n")
                }
                try await writer.write("data: {\"choices\":[{\"delta\":{}}]}\n\ndata: [DONE]\n\n")
            }
        } _: { server in
            let environment = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
            let session = chatSession(key: Secret("k"), at: server.url)
            var answer = ""
            try await complete("Hi", with: chatLoader(environment, session)) { answer += $0 }
            #expect(answer == "Hello!")
        }
    }

    private func chatLoader(
        _ environment: CustomEnvironment<APIPath>, _ session: any APISession
    ) -> APILoader<ChatAPI> {
        func open(_ session: some APISession) -> APILoader<ChatAPI> {
            APILoader(ChatAPI(environment: environment), session: session)
        }
        return open(session)
    }
}
