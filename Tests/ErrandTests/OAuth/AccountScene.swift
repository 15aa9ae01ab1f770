import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import Testing

/// An authorizer on a clock that is moved by hand, with what it has told.
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

    /// The token that a call would send, without its secret's wrapping.
    func access(_ account: OAuthAuthorizer) async throws -> String? {
        let credentials = try await account.credentials(for: request())
        var request = try request()
        try credentials.apply(to: &request)
        return request.head.value(forHTTPHeaderField: "Authorization")?.replacing("Bearer ", with: "")
    }
}

extension OAuthToken {
    /// A token whose refresh token has its name, and that lives from the clock's start for so many seconds.
    static func sample(_ name: String, life: Double? = nil) -> OAuthToken {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        return OAuthToken(access: Secret(name), refresh: Secret("r-\(name)"), expiry: life.map { date + $0 })
    }
}

/// What an authorizer has told.
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
