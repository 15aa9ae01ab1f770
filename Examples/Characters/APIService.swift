package import Errand
package import ErrandGraphQL
import Foundation

/// What the app asks the service for.
package struct APIService: Sendable {
    package typealias Request = GraphQLRequest<CharactersListVariables, CharactersQueryResponse>

    /// The query is a file beside the code, checked when it is read.
    package static func query() throws(ServiceError) -> QueryDocument {
        try QueryDocument(named: "CharactersQuery", in: .module)
    }

    /// The service's schema as it was when the query was written, for a test.
    package static func schema() throws(ServiceError) -> GraphQLSchema {
        guard let file = Bundle.module.url(forResource: "schema", withExtension: "graphql") else {
            throw ServiceError(.configuration, "the schema is missing")
        }
        return try GraphQLSchema(contentsOf: file)
    }

    private let request: Request
    private let session: any APISession

    package init(url: URL, session: some APISession = .platform) throws(ServiceError) {
        request = Request(try Self.query(), at: url, decoder: .snakeCase)
        self.session = session
    }

    /// Runs one page's request, for a view model: a value or an error.
    package var loader: APILoader<GraphQLCompleteRequest<CharactersListVariables, CharactersQueryResponse>> {
        APILoader(request.complete(), session: session)
    }

    /// One page.
    package func loadCharacters(
        _ variables: CharactersListVariables
    ) async throws(ServiceError) -> CharactersQueryResponse.QueryChars {
        try await loader.load(variables).data.characters
    }

    /// Every character that fits, page after page.
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
