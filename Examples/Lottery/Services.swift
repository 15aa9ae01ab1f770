package import Errand

/// The account service as a value of closures. A test creates one with its own closures.
package struct AccountService: Sendable {
    package var login: @Sendable (_ username: String, _ password: Secret) async throws(ServiceError) -> User

    package init(login: @escaping @Sendable (String, Secret) async throws(ServiceError) -> User) {
        self.login = login
    }
}

/// The service for draws.
package struct DrawService: Sendable {
    package var latest: @Sendable () async throws(ServiceError) -> LotoResult

    package init(latest: @escaping @Sendable () async throws(ServiceError) -> LotoResult) {
        self.latest = latest
    }
}

/// The client of both services. The first validator that fails determines the error.
private func lottery(_ url: URL, _ session: any APISession) -> APIClient {
    APIClient(
        environment: CustomEnvironment<APIPath>(name: "lottery", baseURL: BaseURL(url)), session: session,
        validators: [.open, .lotteryError, .status(), .contentType("application/json")])
}

extension AccountService {
    package static func live(at url: URL, session: any APISession = PlatformSession.platform) -> AccountService {
        let client = lottery(url, session)
        return AccountService { username, password throws(ServiceError) in
            // The password is in the body, because URLs are logged.
            let form = ["username": username, "password": password.reveal()]
            return try await client.request(Endpoint<User>(method: .post, path: "login", parameters: .form(form)))
        }
    }
}

extension DrawService {
    package static func live(at url: URL, session: any APISession = PlatformSession.platform) -> DrawService {
        let client = lottery(url, session)
        return DrawService { () throws(ServiceError) in
            try await client.request(Endpoint<LotoResult>(path: "draws/latest"))
        }
    }
}
