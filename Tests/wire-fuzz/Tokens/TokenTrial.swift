import Errand
import ErrandLoopback
import ErrandSupport
import ErrandValkey
import Foundation

/// A process of `Tests/tokens.sh`: the authorization server, or a client that shares its tokens with others.
struct TokenTrial: Sendable {
    private enum Role: Sendable {
        case server
        case client(URL, store: URL, seconds: Int)
    }

    private struct SignIn: Decodable {
        let access_token: String
        let refresh_token: String
        let expires_in: Double
    }

    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private let role: Role

    /// Parses the arguments `--token-server` and `--token-client URL STORE SECONDS`. Returns `nil` for others.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "--token-server" where arguments.count == 1: role = .server
        case "--token-client" where arguments.count == 4:
            guard let url = URL(string: arguments[1]), let store = URL(string: arguments[2]),
                let seconds = Int(arguments[3])
            else { return nil }
            role = .client(url, store: store, seconds: seconds)
        default: return nil
        }
    }

    /// Returns the exit status.
    func run() async -> Int32 {
        do {
            switch role {
            case .server:
                let server = TokenServer()
                try await LoopbackServer.withServer({ server.reply(to: $0) }) { running in
                    FileHandle.standardOutput.write(Data("\(running.url)\n".utf8))
                    try await SystemTime.system.sleep(until: .seconds(1_000_000_000))
                }
            case .client(let url, let store, let seconds): try await send(to: url, store, .seconds(seconds))
            }
            return 0
        } catch {
            print(error)
            return 1
        }
    }

    /// Sends requests. After the end of a session, signs in again.
    private func send(to url: URL, _ server: URL, _ duration: Duration) async throws {
        let client = OAuthClient(id: "worker", tokenEndpoint: url.appending(path: "token"))
        let store = ValkeyTokenStore(
            ValkeyClient(try ValkeyClient.Configuration(server)), account: "trial",
            seal: try ValueSeal(key: Secret(Self.key)))
        var settings = OAuthAuthorizer.Settings()
        (settings.earlyRefresh, settings.clockSkew, settings.pause) = (.zero, .zero, .milliseconds(100))
        let account = OAuthAuthorizer(client, store: store, settings: settings)
        let session = PlatformSession.platform.intercepted(by: AuthorizationInterceptor(account, at: url))
        let (time, end) = (SystemTime.system, SystemTime.system.now + duration)
        var (used, failed) = (0, 0)
        while time.now < end {
            do {
                _ = try await session.send(
                    APIRequest(head: URLRequest(url: url.appending(path: "resource")), body: .none))
                used += 1
            } catch let error as ServiceError where error.code == .authorization {
                try await account.signIn(signIn(at: url))
            } catch {
                failed += 1
            }
            try await time.sleep(until: time.now + .milliseconds(20))
        }
        print("\(used) \(failed)")
    }

    private func signIn(at url: URL) async throws -> OAuthToken {
        let request = APIRequest(head: URLRequest(url: url.appending(path: "sign-in")), body: .none)
        let body = try await PlatformSession.platform.send(request).body.collect()
        let token = try JSONDecoder().decode(SignIn.self, from: body)
        return OAuthToken(
            access: Secret(token.access_token), refresh: Secret(token.refresh_token),
            expiry: Date(timeIntervalSinceNow: token.expires_in))
    }
}
