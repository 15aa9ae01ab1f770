import Errand

nonisolated struct ChatMessage: Codable, Sendable { let role: String, content: String }

nonisolated struct ChatRequest: Encodable, Sendable {
    var model = "small"
    var messages: [ChatMessage]
    var stream = true
}

nonisolated struct ChatDelta: Decodable, Sendable {
    struct Choice: Decodable, Sendable { let delta: Delta }
    struct Delta: Decodable, Sendable { let content: String? }

    let choices: [Choice]
    var text: String { choices.first?.delta.content ?? "" }
}

struct ChatAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from chat: ChatRequest) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "v1/chat/completions"))
        request.httpMethod = "POST"
        try setJSONBody(chat, on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) {}
}

func complete(_ text: String, with loader: APILoader<ChatAPI>, show: (String) -> Void) async throws(ServiceError) {
    let chat = ChatRequest(messages: [ChatMessage(role: "user", content: text)])
    for try await delta in loader.events(chat, as: ChatDelta.self, until: "[DONE]") { show(delta.text) }
}

func chatSession(key: Secret, at url: URL, over session: some APISession = .platform) -> any APISession {
    session.intercepted(by: AuthorizationInterceptor(.bearer(key), at: url), RetryInterceptor())
}
