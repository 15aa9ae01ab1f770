package import Errand
package import ErrandGraphQL
import Foundation

/// The API calls of the app.
package struct APIService: Sendable {
    package typealias Request = GraphQLRequest<CharactersListVariables, CharactersQueryResponse>

    /// Reads the query from a file of the bundle and checks its syntax.
    package static func query() throws(ServiceError) -> QueryDocument {
        try QueryDocument(named: "CharactersQuery", in: .module)
    }

    /// The schema of the service, stored with the query, for tests.
    package static func schema() throws(ServiceError) -> GraphQLSchema {
        guard let file = Bundle.module.url(forResource: "schema", withExtension: "graphql") else {
            throw ServiceError(
                .configuration, "expected schema.graphql in the bundle of Characters, found no such file")
        }
        return try GraphQLSchema(contentsOf: file)
    }

    private let request: Request
    private let session: any APISession

    package init(url: URL, session: some APISession = .platform) throws(ServiceError) {
        request = Request(try Self.query(), at: url, decoder: .snakeCase)
        self.session = session
    }

    /// A loader for one page, for a view model.
    package var loader: APILoader<GraphQLCompleteRequest<CharactersListVariables, CharactersQueryResponse>> {
        APILoader(request.complete(), session: session)
    }

    /// Loads one page.
    package func loadCharacters(
        _ variables: CharactersListVariables
    ) async throws(ServiceError) -> CharactersQueryResponse.QueryChars {
        try await loader.load(variables).data.characters
    }

    /// The characters of all pages that match a filter.
    package func characters(
        _ filter: CharactersListVariables.Filter
    )
        -> Pages<
            GraphQLListRequest<
                CharactersListVariables, CharactersQueryResponse, CharactersQueryResponse.Character
            >
        >.Items
    {
        let list = request.paged {
            $0.characters.results
        } next: { page, variables in
            page.characters.info.next.map { CharactersListVariables(filter: variables.filter, page: $0) }
        }
        return APILoader(list, session: session).pages(from: CharactersListVariables(filter: filter)).items
    }
}
