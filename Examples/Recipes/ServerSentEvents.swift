import Errand

struct NewsAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from topic: String) throws -> URLRequest {
        URLRequest(url: try environment.url(for: "news/\(topic)"))
    }

    func parseResponse(data: Data, response: HTTPURLResponse) {}
}

nonisolated struct Price: Decodable, Sendable { let symbol: String, amount: Double }

func follow(_ topic: String, with loader: APILoader<NewsAPI>, show: (String) -> Void) async throws(ServiceError) {
    for try await event in loader.events(topic) {  // connects again when the connection ends
        show("\(event.type): \(event.data)")
    }
}

func followPrices(with loader: APILoader<NewsAPI>, show: (Price) -> Void) async throws(ServiceError) {
    for try await price in loader.events("prices").on("price", as: Price.self) { show(price) }
}

func resume(
    after id: String, with loader: APILoader<NewsAPI>, store: (ServerSentEvent) -> Void
) async throws(ServiceError) {
    var options = EventOptions()
    options.lastEventID = id  // of the last event that was stored
    options.idleTimeout = .seconds(30)  // the server sends a comment every 15 seconds
    options.statuses = .lenient  // connect again after 503
    for try await event in loader.events("orders", options: options) { store(event) }
}

func watch(_ source: EventSource<ServerSentEvent>, status: (String) -> Void) async throws(ServiceError) {
    for try await activity in source.activities {
        switch activity {
        case .opened: status("online")
        case .disconnected(_, let wait): status("offline, next attempt in \(wait)")
        case .event(let event): status("received \(event.type)")
        case .comment: break
        }
    }
}
