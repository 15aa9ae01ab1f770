import Errand

func patientSession(over session: some APISession = .platform) -> StandardSession {
    var policy = RetryPolicy()
    policy.attempts = 5
    policy.attemptsPerReason[.timeout] = 2  // more retries do not make a slow server faster
    policy.backoff.cap = .seconds(10)
    policy.statuses.remove(500)  // status 500 of this server is permanent
    policy.decide = { question in
        question.reason == .status(503) && question.attempts == 2 ? .stop("maintenance") : .asProposed
    }
    return .standard(retry: RetryInterceptor(policy), over: session)
}
