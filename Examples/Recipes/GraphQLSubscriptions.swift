import Errand
import ErrandGraphQL

nonisolated struct PostComment: Decodable, Sendable { let text: String }
nonisolated struct CommentAdded: Decodable, Sendable { let commentAdded: PostComment }

func followComments(
    on post: String, at url: URL, over session: some APISession = .platform, show: (String) -> Void
) async throws {
    let document = try QueryDocument("subscription OnComment($post: ID!) { commentAdded(post: $post) { text } }")
    let request = GraphQLRequest<GraphQLVariables, CommentAdded>(document, at: url)
    for try await update in APILoader(request.complete(), session: session).subscription(["post": post]) {
        show(update.commentAdded.text)
    }
}

func followPosts(
    _ posts: [String], at url: URL, over session: some APISession = .platform,
    show: @escaping @Sendable (_ post: String, _ text: String) -> Void
) async throws {
    let document = try QueryDocument("subscription OnComment($post: ID!) { commentAdded(post: $post) { text } }")
    let request = GraphQLRequest<GraphQLVariables, CommentAdded>(document, at: url).complete()
    let stream = GraphQLEventStream(at: url, session: session)  // one connection for all posts
    try await withThrowingTaskGroup(of: Void.self) { group in
        for post in posts {
            group.addTask {
                for try await update in stream.subscription(request, ["post": post]) {
                    show(post, update.commentAdded.text)
                }
            }
        }
        try await group.waitForAll()
    }
}
