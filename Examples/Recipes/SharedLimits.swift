import Errand

func workerSession(limits folder: URL, over session: some APISession = .platform) -> any APISession {
    var policy = SharedRateLimitInterceptor.Policy(rate: .init(50, per: .seconds(1), burst: 1))
    policy.workers = 8
    let limit = SharedRateLimitInterceptor(policy, in: FolderLimitStore(folder))
    return session.intercepted(by: RetryInterceptor(), limit)
}
