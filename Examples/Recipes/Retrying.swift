import Errand

func patientSession(over session: some APISession = .platform) -> StandardSession {
    var policy = RetryPolicy()
    policy.attempts = 5
    policy.attemptsPerReason[.timeout] = 2  // a slow server gets no faster by being asked more
    policy.backoff.cap = .seconds(10)
    policy.statuses.remove(500)  // here a 500 is a fault that comes again
    policy.decide = { question in
        question.reason == .status(503) && question.attempts == 2 ? .stop("maintenance") : .asProposed
    }
    return .standard(retry: RetryInterceptor(policy), over: session)
}
