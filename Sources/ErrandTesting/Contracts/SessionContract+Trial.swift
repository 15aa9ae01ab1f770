import Errand

extension SessionContract {
    /// The context in which a session is checked for one promise.
    struct Trial: Sendable {
        let session: any APISession
        let base: URL
        let limit: Duration
        /// Returns the requests that have reached the peer.
        let seen: @Sendable () -> [APIRequest]
        /// Returns the number of open connections to the peer. `nil` for a test double, which has no connections.
        var connections: (@Sendable () -> Int)?

        /// The maximum time for a prompt end: two seconds, or a fifth of a limit above ten seconds.
        var promptness: Duration { min(limit, max(.seconds(2), limit / 5)) }

        func request(
            _ target: String, _ method: HTTPMethod = .get, body: String? = nil,
            _ configure: (inout RequestOptions) -> Void = { _ in }
        ) -> APIRequest {
            var head = URLRequest(url: URL(string: target, relativeTo: base)?.absoluteURL ?? base)
            head.httpMethod = method.rawValue
            var options = RequestOptions()
            configure(&options)
            return APIRequest(head: head, body: body.map { .data(Data($0.utf8)) } ?? .none, options: options)
        }

        /// Sends a request and collects the body of the response, within the limit.
        func send(_ request: APIRequest) async throws -> (head: ResponseHead, body: Data) {
            try await bounded { [session] in
                let response = try await session.send(request)
                // Collected without the request's limit, because the session enforces it in buffered delivery.
                return (response.head, try await response.body.collect())
            }
        }

        /// Returns the error that a request ends with.
        func failure(of request: APIRequest) async throws -> any Error {
            do {
                let (head, body) = try await send(request)
                throw Broken("expected an error, found status \(head.status) with \(body.count) bytes")
            } catch let broken as Broken {
                throw broken
            } catch {
                return error
            }
        }

        /// Returns the error of a request that must end within ``promptness``.
        func promptFailure(of request: APIRequest) async throws -> any Error {
            try await promptly { try await failure(of: request) }
        }

        /// Runs work that must end within ``promptness``. The time by which the machine delays a short wait is not counted,
        /// because it delays the work, too.
        func promptly<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
            let clock = SystemTime.system
            let start = clock.now
            async let delay = Self.delay(since: start)
            let value = try await work()
            let elapsed = clock.now - start - (await delay)
            try expect(elapsed < promptness, "expected to end within \(promptness), ended after \(elapsed)")
            return value
        }

        private static func delay(since start: Duration) async -> Duration {
            let wait = Duration.milliseconds(100)
            try? await SystemTime.system.sleep(until: start + wait)
            return max(.zero, SystemTime.system.now - start - wait)
        }

        func expect(_ holds: Bool, _ message: @autoclosure () -> String) throws {
            if !holds { throw Broken(message()) }
        }

        /// The code that the loader assigns to an error.
        func code(of error: any Error) -> ServiceError.Code {
            ServiceError(wrapping: error, as: .transport, "").code
        }

        /// Waits until `count` requests have reached the peer, at most for the limit.
        func arrival(of count: Int) async throws {
            try await wait(orElse: "expected the request to reach the peer") { [seen] in seen().count >= count }
        }

        /// Waits until a condition is true, at most for the limit.
        func wait(orElse complaint: String, until holds: @escaping @Sendable () -> Bool) async throws {
            do {
                try await bounded {
                    while !holds() {
                        try await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(1))
                    }
                }
            } catch is Broken {
                throw Broken(complaint)
            }
        }

        /// Runs work that may never end, within the limit.
        func bounded<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
            let result = await ErrandTesting.bounded(by: limit) { () -> Result<Value, any Error> in
                do {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            if let result { return try result.get() }
            try Task.checkCancellation()
            throw Broken("still running after \(limit)")
        }
    }
}
