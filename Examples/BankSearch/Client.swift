package import Errand
import ErrandGraphQL

package typealias Success<T> = @MainActor @Sendable (T) -> Void
package typealias Failure = @MainActor @Sendable (ClientError) -> Void

/// The requests of the app as static functions.
package enum Client {
    /// The service that receives the requests. A test replaces it for its tasks: `Client.$service.withValue(…) { … }`.
    @TaskLocal package static var service = Service(url: URL(string: "https://api.bank.example/graphql"))

    /// The URL of the API and the session that sends the requests.
    package struct Service: Sendable {
        let url: URL?
        let session: any APISession

        package init(url: URL?, session: any APISession = .platform) {
            self.url = url
            self.session = session
        }
    }
}

// Functions with closures. The caller can cancel the returned task.
extension Client {
    /// Searches banks by name, city or code. Calls exactly one of the closures.
    @discardableResult
    package static func bankSearch(
        for searchQuery: String, limit: Int = 20,
        success: @escaping Success<BankSearchPage>, failure: @escaping Failure
    ) -> Task<Void, Never> {
        Task { @MainActor in  // unstructured, because the caller does not wait
            do throws(ClientError) {
                success(try await bankSearch(for: searchQuery, limit: limit))
            } catch {
                failure(error)
            }
        }
    }
}

// The same requests as async functions. Cancelling the task cancels the request.
extension Client {
    /// Searches banks by name, city or code.
    package static func bankSearch(
        for searchQuery: String, limit: Int = 20
    ) async throws(ClientError) -> BankSearchPage {
        try await request(.bankSearch, ["search": searchQuery, "limit": limit])
    }

    private static func request<Page: Decodable & Sendable>(
        _ script: Script, _ variables: GraphQLVariables
    ) async throws(ClientError) -> Page {
        do throws(ServiceError) {
            guard let url = service.url else {
                throw ServiceError(.configuration, "expected the URL of the service, found nil")
            }
            let request = GraphQLRequest<GraphQLVariables, Page>(try script.document(), at: url)
            return try await APILoader(request.complete(), session: service.session).load(variables).data
        } catch {
            throw ClientError(error)
        }
    }
}
