package import Errand
import ErrandGraphQL

package typealias Success<T> = @MainActor @Sendable (T) -> Void
package typealias Failure = @MainActor @Sendable (ClientError) -> Void

/// Every request of the app as a static function, which can be called from everywhere.
package enum Client {
    /// Where requests go. A test replaces it for its own tasks alone: `Client.$service.withValue(…) { … }`.
    @TaskLocal package static var service = Service(url: URL(string: "https://api.bank.example/graphql"))

    /// Where the API is, and the session that asks it.
    package struct Service: Sendable {
        let url: URL?
        let session: any APISession

        package init(url: URL?, session: any APISession = .platform) {
            self.url = url
            self.session = session
        }
    }
}

// Without waiting: the caller can cancel what it gets.
extension Client {
    /// Searches banks by name, place or code; exactly one of the closures is called.
    @discardableResult
    package static func bankSearch(
        for searchQuery: String, limit: Int = 20,
        success: @escaping Success<BankSearchPage>, failure: @escaping Failure
    ) -> Task<Void, Never> {
        Task { @MainActor in  // unstructured, as the caller does not wait
            do throws(ClientError) {
                success(try await bankSearch(for: searchQuery, limit: limit))
            } catch {
                failure(error)
            }
        }
    }
}

// Waiting: the same request, whose cancellation is that of its task.
extension Client {
    /// Searches banks by name, place or code.
    package static func bankSearch(
        for searchQuery: String, limit: Int = 20
    ) async throws(ClientError) -> BankSearchPage {
        try await request(.bankSearch, ["search": searchQuery, "limit": limit])
    }

    private static func request<Page: Decodable & Sendable>(
        _ script: Script, _ variables: GraphQLVariables
    ) async throws(ClientError) -> Page {
        do throws(ServiceError) {
            guard let url = service.url else { throw ServiceError(.configuration, "the service has no address") }
            let request = GraphQLRequest<GraphQLVariables, Page>(try script.document(), at: url)
            return try await APILoader(request.complete(), session: service.session).load(variables).data
        } catch {
            throw ClientError(error)
        }
    }
}
