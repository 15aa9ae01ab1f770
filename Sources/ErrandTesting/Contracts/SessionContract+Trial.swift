import Errand

extension SessionContract {
    /// A session on trial for one promise.
    struct Trial: Sendable {
        let session: any APISession
        let base: URL
        let limit: Duration
        /// What has reached the peer.
        let seen: @Sendable () -> [APIRequest]
        /// How many connections to the peer are open; nil for a double, which has none.
        var connections: (@Sendable () -> Int)?

        /// What counts as prompt: two seconds, or a fifth of a limit that is longer than ten seconds.
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

        /// Sends a request and collects the answer's body, within the limit.
        func send(_ request: APIRequest) async throws -> (head: ResponseHead, body: Data) {
            try await bounded { [session] in
                let response = try await session.send(request)
                // Whatever the call's cap: in buffered delivery it is the session that keeps it.
                return (response.head, try await response.body.collect())
            }
        }

        /// The error that a request ends with.
        func failure(of request: APIRequest) async throws -> any Error {
            do {
                let (head, body) = try await send(request)
                throw Broken("it was answered with status \(head.status) and \(body.count) bytes, not with an error")
            } catch let broken as Broken {
                throw broken
            } catch {
                return error
            }
        }

        /// As ``failure(of:)``, for what must end soon: within ``promptness``.
        func promptFailure(of request: APIRequest) async throws -> any Error {
            let clock = SystemTime.system
            let start = clock.now
            let error = try await failure(of: request)
            let elapsed = clock.now - start
            try expect(elapsed < promptness, "it ended only after \(elapsed)")
            return error
        }

        func expect(_ holds: Bool, _ message: @autoclosure () -> String) throws {
            if !holds { throw Broken(message()) }
        }

        /// The code that the loader would give an error.
        func code(of error: any Error) -> ServiceError.Code {
            ServiceError(wrapping: error, as: .transport, "").code
        }

        /// Waits, at most the limit, until so many requests have reached the peer.
        func arrival(of count: Int) async throws {
            try await wait(orElse: "the request did not reach the peer") { [seen] in seen().count >= count }
        }

        /// Waits, at most the limit, until something holds.
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

        /// Runs work that may never end.
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
            throw Broken("it had not ended after \(limit)")
        }
    }
}
