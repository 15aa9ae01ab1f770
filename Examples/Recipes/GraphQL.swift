import Errand
import ErrandGraphQL

struct Hero: Decodable { let name: String, homeworld: String? }
struct HeroPage: Decodable { let hero: Hero }

func hero(_ id: String, at url: URL, over session: some APISession = .platform) async throws -> Hero {
    let document = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name homeworld } }")  // checked here
    let request = GraphQLRequest<GraphQLVariables, HeroPage>(document, at: url)
    let answer = try await APILoader(request, session: session).load(["id": id])
    return try answer.requireComplete().hero  // `answer.data` has what came beside `answer.errors`
}
