import Errand
import ErrandGraphQL

nonisolated struct AddedPicture: Decodable, Sendable { let id: String }
nonisolated struct PictureAdded: Decodable, Sendable { let addPicture: AddedPicture }

func addPicture(
    _ picture: URL, titled title: String, at url: URL, over session: some APISession = .platform
) async throws -> String {
    let document = try QueryDocument(
        "mutation Add($title: String!, $picture: Upload!) { addPicture(title: $title, picture: $picture) { id } }")
    let request = GraphQLRequest<GraphQLVariables, PictureAdded>(document, at: url)
    let response = try await APILoader(request, session: session).load(
        ["title": title], files: [.file(picture, name: "picture", contentType: "image/png")])
    return try response.requireComplete().addPicture.id
}
