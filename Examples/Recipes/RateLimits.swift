import Errand

func gitHubSession(over session: some APISession = .platform) -> StandardSession {
    var policy = RetryPolicy()
    policy.statuses.insert(403)
    policy.decide = { question in
        // GitHub sends 403 for a request that came too early, with Retry-After, and for one that is forbidden.
        if case .status(403, let fields) = question.outcome, fields["Retry-After"] == nil { return .stop("forbidden") }
        return .asProposed
    }
    return .standard(retry: RetryInterceptor(policy), rateLimit: RateLimitInterceptor(.github), over: session)
}
