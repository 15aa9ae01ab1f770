import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import Testing

/// An authorizer on a manual clock, and the log of its events.
struct AccountScene: Sendable {
    let clock = ManualClock()
    let events = EventLog()

    func authorizer(
        _ store: any TokenStore, settings: OAuthAuthorizer.Settings = .init(),
        renew: @escaping @Sendable (OAuthToken?) async throws -> OAuthToken
    ) -> OAuthAuthorizer {
        OAuthAuthorizer(
            store: store, identity: nil, settings: settings, onEvent: { [events] in events.add($0) },
            renew: { last, _ in try await renew(last) })
    }

    func request(_ configure: (inout RequestOptions) -> Void = { _ in }) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: "https://api.test/"))), body: .none)
        request.options.time = clock
        configure(&request.options)
        return request
    }

    /// Returns the access token that a call would send.
    func access(_ account: OAuthAuthorizer) async throws -> String? {
        let credentials = try await account.credentials(for: request())
        var request = try request()
        try credentials.apply(to: &request)
        return request.head.value(forHTTPHeaderField: "Authorization")?.replacing("Bearer ", with: "")
    }
}

extension OAuthToken {
    /// Creates a token named `name` that expires `life` seconds after the start of the clock.
    static func sample(_ name: String, life: Double? = nil) -> OAuthToken {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        return OAuthToken(access: Secret(name), refresh: Secret("r-\(name)"), expiry: life.map { date + $0 })
    }
}

/// Records the events of an authorizer.
final class EventLog: Sendable {
    private let names = Locked<[String]>([])
    var all: [String] { names.withLock { $0 } }

    func add(_ event: OAuthAuthorizer.Event) {
        let name =
            switch event {
            case .sessionEnded: "ended"
            case .storeFailed: "store"
            }
        names.withLock { $0.append(name) }
    }
}
