import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

struct CommentAdded: Decodable, Sendable, Equatable {
    struct Comment: Decodable, Sendable, Equatable { let text: String }
    let commentAdded: Comment
}

/// A subscription to the comments of a post.
enum SubscriptionScene {
    static let document = "subscription OnComment($post: ID!) { commentAdded(post: $post) { text } }"

    static func request(
        _ text: String = document, method: HTTPMethod = .post
    ) throws -> GraphQLRequest<GraphQLVariables, CommentAdded> {
        GraphQLRequest(
            try QueryDocument(text), at: try #require(URL(string: "https://blog.test/graphql")), method: method)
    }

    static func loader<T: APIHandler>(
        _ handler: T, _ session: some APISession, _ time: some TimeSource = InstantClock()
    ) -> APILoader<T> {
        APILoader(handler, session: session, time: time, random: FixedRandom(fraction: 0))
    }

    /// A `next` event with a comment.
    static func next(_ text: String, id: String? = nil) -> String {
        let id = id.map { "id: \($0)\n" } ?? ""
        return "\(id)event: next\ndata: {\"data\":{\"commentAdded\":{\"text\":\"\(text)\"}}}\n\n"
    }

    static let complete = "event: complete\ndata: \n\n"
    static let refusal = #"{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#
}

extension CannedReply {
    /// An event stream in one chunk.
    static func events(_ text: String) -> CannedReply { .data(Data(text.utf8), type: "text/event-stream") }
}

extension EventSource {
    /// Returns all elements.
    func all() async throws(ServiceError) -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
