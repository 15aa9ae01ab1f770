package import Errand
import ErrandGraphQL

/// The program of `swift run examples characters`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
package enum CharactersExample {
    @MainActor package static func run(
        at url: URL, over session: some APISession = .platform, print: @Sendable (String) -> Void
    ) async throws {
        let api = try APIService(url: url, session: session)
        try APIService.schema().check(try APIService.query())
        print("the query matches the schema")

        let model = CharactersListViewModel(api)
        model.load(.init(name: "Morty"))
        await model.loaded()
        print("\(model.characters.count) characters on the first page")
        model.loadMore()
        await model.loaded()
        for character in model.characters {
            let status = character.status?.rawValue ?? "status unknown"
            print(
                "\(character.id)  \(character.name), \(status), since \(character.episode.first?.airDate ?? "an unknown date")"
            )
        }

        var names: [String] = []
        for try await character in api.characters(.init(species: "Human")) { names.append(character.name) }
        print("\(names.count) humans on all pages")
    }
}
