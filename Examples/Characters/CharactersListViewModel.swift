import Errand
import ErrandGraphQL

/// The view model of the list. A view that reads ``characters`` updates when they change.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor package final class CharactersListViewModel {
    package typealias Character = CharactersQueryResponse.Character
    private typealias Page = GraphQLPage<CharactersQueryResponse>

    private let model: APIModel<GraphQLCompleteRequest<CharactersListVariables, CharactersQueryResponse>>

    package init(_ api: APIService) {
        model = APIModel(
            api.loader,
            more: .init { last, loaded in
                loaded.value.data.characters.info.next.map { CharactersListVariables(filter: last.filter, page: $0) }
            } join: { shown, page in
                shown.adding(page)
            })
    }

    package var characters: [Character] { model.state.value?.data.characters.results ?? [] }
    /// The localized error message of the last load, or `nil` if it succeeded.
    package var problem: String? { model.state.error?.localizedDescription }

    /// Replaces the current load. The response of a replaced load is never shown.
    package func load(_ filter: CharactersListVariables.Filter = .init()) {
        model.load(CharactersListVariables(filter: filter))
    }

    package func loadMore() { model.loadMore() }

    /// Waits until no load is running.
    package func loaded() async { await model.settled() }
}

extension GraphQLPage<CharactersQueryResponse> {
    fileprivate func adding(_ next: Self) -> Self {
        let characters = next.data.characters
        return Self(
            data: CharactersQueryResponse(
                characters: .init(
                    info: characters.info, results: data.characters.results + characters.results)))
    }
}
