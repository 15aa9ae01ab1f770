import Errand

extension SessionContract {
    /// The context in which a session is checked for one promise.
    struct Trial: Sendable {
        let session: any APISession
        let base: URL
        let limit: Duration
        /// The maximum time of a prompt end.
        let promptness: Duration
        /// Returns the requests that have reached the peer.
        let seen: @Sendable () -> [APIRequest]
        /// Returns the number of open connections to the peer. `nil` for a test double, which has no connections.
        var connections: (@Sendable () -> Int)?

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

        /// Runs a check that returns a time, which must be less than ``promptness``. If it is late, two more runs must be in time,
        /// because a busy machine can delay a run.
        func promptly(_ check: () async throws -> Duration) async throws {
            let first = try await check()
            guard first >= promptness else { return }
            for _ in 1...2 {
                let time = try await check()
                try expect(time < promptness, "expected to end within \(promptness), ended after \(first) and \(time)")
            }
        }

        /// Checks that work ends promptly with a timeout.
        func expectTimeout(_ work: () async throws -> any Error) async throws {
            try await promptly {
                let start = SystemTime.system.now
                let error = try await work()
                let time = SystemTime.system.now - start
                try expect(code(of: error) == .timeout, "expected timeout, found \(code(of: error))")
                return time
            }
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
