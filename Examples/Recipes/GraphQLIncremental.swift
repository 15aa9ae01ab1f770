import Errand
import ErrandGraphQL

nonisolated struct FilmReview: Decodable, Sendable { let text: String }
nonisolated struct ReviewedFilm: Decodable, Sendable { let title: String, reviews: [FilmReview]? }  // `nil` at first
nonisolated struct FilmPage: Decodable, Sendable { let film: ReviewedFilm }

func showFilm(
    _ id: String, at url: URL, over session: some APISession = .platform,
    show: (_ title: String, _ reviews: [String]?) -> Void
) async throws {
    let document = try QueryDocument(
        "query Film($id: ID!) { film(id: $id) { title ... @defer(label: \"reviews\") { reviews { text } } } }")
    let request = GraphQLRequest<GraphQLVariables, FilmPage>(document, at: url)
    for try await snapshot in APILoader(request, session: session).snapshots(["id": id]) {
        let film = try snapshot.response.requireData().film
        show(film.title, film.reviews?.map(\.text))
    }
}
