import Errand
import ErrandValkey

// `server` is the URL of the Valkey server, such as `rediss://worker@valkey.internal`, and `api` that of the API. `key` encrypts the
// stored values.
func fleetSession(
    _ server: URL, password: Secret, key: Secret, oauth: OAuthClient, api: URL,
    over session: some APISession = .platform
) async throws(ServiceError) -> StandardSession {
    let configuration = try ValkeyClient.Configuration(server, password: password)
    let (client, seal) = (ValkeyClient(configuration), try ValueSeal(key: key))
    do { try await ValkeyLimitStore(client).check() } catch { print("cannot use the Valkey server: \(error)") }

    let tokens = ValkeyTokenStore(client, account: "reports", seal: seal)
    let account = OAuthAuthorizer(oauth, grant: .clientCredentials(), store: tokens)

    var forBodies = configuration
    forBodies.timeout = .milliseconds(250)
    let responses = ValkeyCacheStore(ValkeyClient(forBodies), seal: seal)

    return .standard(
        authorization: AuthorizationInterceptor(account, at: api), cache: CacheInterceptor(responses),
        idempotency: IdempotencyInterceptor(ValkeyIdempotencyLedger(client, seal: seal)),
        rateLimit: fleetLimit(client), over: session)
}

// The API allows 50 requests per second. Network delays vary, so the rate is a little lower.
func fleetLimit(_ client: ValkeyClient) -> SharedRateLimitInterceptor {
    var policy = SharedRateLimitInterceptor.Policy(rate: .init(45, per: .seconds(1), burst: 1))
    policy.workers = 8
    return SharedRateLimitInterceptor(policy, in: ValkeyLimitStore(client))
}
