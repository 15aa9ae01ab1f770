import Errand
import ErrandGraphQL

/// Sends one query with the GraphQL product only, which depends on the core.
@main enum GraphQLOnly {
    struct Page: Decodable {
        struct Hero: Decodable { let name: String }

        let hero: Hero
    }

    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            return print("usage: graphql-only URL")
        }
        do {
            let document = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name } }")
            let request = GraphQLRequest<GraphQLVariables, Page>(document, at: url)
            print(try await APILoader(request).load(["id": "1"]).requireComplete().hero.name)
        } catch let error as ServiceError {
            print("error: \(error.code)")
        } catch {
            print("error: \(error)")
        }
    }
}
