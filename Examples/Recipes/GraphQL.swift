import Errand
import ErrandGraphQL

nonisolated struct Hero: Decodable { let name: String, homeworld: String? }
nonisolated struct HeroPage: Decodable { let hero: Hero }

func hero(_ id: String, at url: URL, over session: some APISession = .platform) async throws -> Hero {
    let document = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name homeworld } }")  // validated
    let request = GraphQLRequest<GraphQLVariables, HeroPage>(document, at: url)
    let response = try await APILoader(request, session: session).load(["id": id])
    return try response.requireComplete().hero  // `response.data` is partial if `response.errors` is not empty
}

nonisolated struct Renamed: Decodable { let rename: Hero? }

func rename(
    _ hero: String, to name: String, at url: URL, over session: some APISession = .platform
) async throws -> String {
    let document = try QueryDocument("mutation Rename($input: Name!) { rename(input: $input) { name homeworld } }")
    let request = GraphQLRequest<GraphQLVariables, Renamed>(document, at: url)
    let input: GraphQLVariables = ["hero": hero, "name": name]
    switch try await APILoader(request, session: session).load(["input": input]).outcome {
    case .data(let renamed): return renamed.rename?.name ?? ""
    case .partial(let renamed, let errors): return "\(renamed?.rename?.name ?? "") (errors: \(errors.count))"
    case .requestError(let errors): return "refused: \(errors.compactMap(\.code))"
    }
}
