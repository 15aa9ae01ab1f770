import Errand
import ErrandValkey

func fleetSession(
    _ server: URL, password: Secret?, over session: some APISession = .platform
) throws(ServiceError) -> any APISession {
    let client = ValkeyClient(try ValkeyClient.Configuration(server, password: password))
    var policy = SharedRateLimitInterceptor.Policy(rate: .init(50, per: .seconds(1), burst: 1))
    policy.workers = 8
    let limit = SharedRateLimitInterceptor(policy, in: ValkeyLimitStore(client))
    return session.intercepted(by: RetryInterceptor(), limit)
}

func fleetAccount(
    _ oauth: OAuthClient, _ client: ValkeyClient, key: Secret
) throws(ServiceError) -> OAuthAuthorizer {
    let store = ValkeyTokenStore(client, account: "reports", seal: try ValueSeal(key: key))
    return OAuthAuthorizer(oauth, store: store)
}

func fleetCache(
    _ server: URL, key: Secret, over session: some APISession = .platform
) throws(ServiceError) -> any APISession {
    var configuration = try ValkeyClient.Configuration(server)
    configuration.timeout = .milliseconds(250)
    let store = ValkeyCacheStore(ValkeyClient(configuration), seal: try ValueSeal(key: key))
    return session.intercepted(by: IdentityInterceptor(), CoalescingInterceptor(), CacheInterceptor(store))
}

func fleetOrders(
    _ client: ValkeyClient, key: Secret, over session: some APISession = .platform
) throws(ServiceError) -> any APISession {
    let ledger = ValkeyIdempotencyLedger(client, seal: try ValueSeal(key: key))
    return session.intercepted(by: IdentityInterceptor(), IdempotencyInterceptor(ledger), RetryInterceptor())
}
