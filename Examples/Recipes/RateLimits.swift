import Errand

func gitHubSession(over session: some APISession = .platform) -> StandardSession {
    var policy = RetryPolicy()
    policy.statuses.insert(403)
    policy.decide = { question in
        // GitHub responds with 403 and Retry-After to excess requests, and with a plain 403 to forbidden ones.
        if case .status(403, let headers) = question.outcome, headers["Retry-After"] == nil {
            return .stop("forbidden")
        }
        return .asProposed
    }
    return .standard(retry: RetryInterceptor(policy), rateLimit: RateLimitInterceptor(.github), over: session)
}
