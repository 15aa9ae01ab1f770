import Errand

extension SessionContract.Promise {
    static let cutBody = Self("a body that was cut off is an error, never a shorter body") { request in
        .text("0123456789").cuttingBody(after: Int(request.url?.lastPathComponent ?? "") ?? 0)
    } check: { trial in
        for count in [0, 4, 9] { _ = try await trial.failure(of: trial.request("/\(count)")) }
    }

    static let lostConnection = Self("a lost connection is an error") { _ in
        .failure(URLError(.networkConnectionLost))
    } check: { trial in
        let error = try await trial.failure(of: trial.request("/"))
        try trial.expect(trial.code(of: error) != .cancelled, "it looks as if the caller had cancelled")
    }

    static let cap = Self("the cap on a buffered body holds") { _ in
        .data(Data(count: 1_000))
    } check: { trial in
        let fits = try await trial.send(trial.request("/") { $0.delivery = .buffered(upTo: 1_000) }).body
        try trial.expect(fits.count == 1_000, "a body as large as its cap was refused")
        let error = try await trial.failure(of: trial.request("/") { $0.delivery = .buffered(upTo: 999) })
        let code = trial.code(of: error)
        try trial.expect(code == .bodyTooLarge, "a body over its cap is \(code), not \(ServiceError.Code.bodyTooLarge)")
    }

    static let refusal = Self("what must not go onto the wire is refused") { _ in
        .status(200)
    } check: { trial in
        var broken = trial.request("/")
        broken.head.allHTTPHeaderFields = ["X-A": "1\r\nX-Forged: 2"]
        var unknown = trial.request("/")
        unknown.head.httpMethod = "GET /forged HTTP/1.1\r\nX:"
        var foreign = trial.request("/")
        foreign.head.url = URL(string: "file:///etc/hostname")
        for request in [broken, unknown, foreign, trial.request("/", .get, body: "a GET's body")] {
            _ = try await trial.failure(of: request)
        }
        try trial.expect(trial.seen().isEmpty, "such a request reached the peer")
    }

    /// Silence before the head, or in the middle of the body.
    @Sendable private static func silence(_ request: APIRequest) -> CannedReply {
        request.path == "/body" ? .text("0123456789").stallingBody(after: 4) : .stall
    }

    static let deadline = Self("a call ends by its deadline", peer: silence) { trial in
        for path in ["/", "/body"] {
            let request = trial.request(path) { $0.deadline = .after(.milliseconds(100)) }
            let error = try await trial.promptFailure(of: request)
            try trial.expect(trial.code(of: error) == .timeout, "it ended as \(trial.code(of: error))")
        }
    }

    static let idleTimeout = Self("a call ends by its idle time-out", peer: silence) { trial in
        for path in ["/", "/body"] {
            let request = trial.request(path) { $0.idleTimeout = .milliseconds(100) }
            let error = try await trial.promptFailure(of: request)
            try trial.expect(trial.code(of: error) == .timeout, "it ended as \(trial.code(of: error))")
        }
    }

    static let cancellation = Self("a call ends when its task is cancelled", peer: silence) { trial in
        for (count, path) in ["/", "/body"].enumerated() {
            let call = Task { [session = trial.session] in _ = try await session.send(trial.request(path)) }
            try await trial.arrival(of: count + 1)
            let start = SystemTime.system.now
            call.cancel()
            let ending = try await trial.bounded { await call.result }
            guard case .failure(let error) = ending else { throw SessionContract.Broken("it was answered") }
            try trial.expect(trial.code(of: error) == .cancelled, "it ended as \(trial.code(of: error))")
            let elapsed = SystemTime.system.now - start
            try trial.expect(elapsed < trial.promptness, "it ended only after \(elapsed)")
        }
    }

    static let cancelledBefore = Self("a cancelled task sends nothing") { _ in
        .status(200)
    } check: { trial in
        let call = Task { [session = trial.session] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await session.send(trial.request("/"))
        }
        let ending = try await trial.bounded { await call.result }
        guard case .failure(let error) = ending else { throw SessionContract.Broken("it was answered") }
        try trial.expect(trial.code(of: error) == .cancelled, "it ended as \(trial.code(of: error))")
        try trial.expect(trial.seen().isEmpty, "the request reached the peer")
    }
}
