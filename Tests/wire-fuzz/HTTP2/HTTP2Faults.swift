#if os(Linux)
    import Errand
    import ErrandTesting

    /// Calls of a `CurlSession` with HTTP/2 to `Tests/http2.py`, which breaks each response in another way.
    ///
    /// A row of a fault passes if the call ends with an error in time. Some rows have complete responses, to show that
    /// the calls use HTTP/2 and that not every response is refused. The last rows are HTTP/1.1 responses that end with
    /// their TLS connection.
    struct HTTP2Faults: Sendable {
        let server: URL
        let authorities: URL

        /// The maximum time of a row. No row has to wait.
        private static let bound: Duration = .seconds(2)
        private static let deadline: Duration = .seconds(3)

        /// The outcome of one call.
        private struct Ending: Sendable {
            var text: String
            var isSuccess: Bool
            var protocolName: String?
            var elapsed: Duration = .zero
        }

        /// Runs all rows and prints them. Returns whether all of them have the expected outcome.
        func run() async throws -> Bool {
            let session = makeSession()
            let list = try await session.send(request("/faults")).body.collect()
            print("HTTP/2 faults, \(CurlSession.libraryVersion)")
            var isRight = true
            for row in Self.goodRows + Self.closingRows { isRight = await judge(row) && isRight }
            for fault in String(decoding: list, as: UTF8.self).split(separator: "\n") {
                for length in ["with", "without", "deflate", "gzip"] {
                    for ending in ["before/at-once", "after/at-once", "before/later", "after/later"] {
                        isRight = await judge(Row(path: "/\(fault)/\(length)/\(ending)")) && isRight
                    }
                }
            }
            for name in ["close-notify-on-an-open-connection", "garbage", "close"] {
                isRight = await judgeNeighbours(of: name) && isRight
            }
            return isRight
        }

        /// A call and its expected outcome.
        private struct Row: Sendable {
            var path: String
            var method = HTTPMethod.get
            var isComplete = false
            /// Whether the call does not offer HTTP/2.
            var isHTTP1 = false
            var isStreamed = false
        }

        private static let goodRows = [
            Row(path: "/good/length", isComplete: true), Row(path: "/good/deflate", isComplete: true),
            Row(path: "/good/no-content", isComplete: true), Row(path: "/good/empty", isComplete: true),
            Row(path: "/good/head", method: .head, isComplete: true), Row(path: "/good/unproved"),
            Row(path: "/good/gzip"),
        ]

        /// A body without a length is complete if its TLS connection ends with a close_notify alert, and if libcurl
        /// verifies that.
        private static let closingRows = [false, true].flatMap { isStreamed in
            [("fin", false), ("abort", false), ("close-notify", CurlLibrary.detectsTruncation(hasTLSProxy: false))].map
            {
                Row(path: "/http1/\($0)", isComplete: $1, isHTTP1: true, isStreamed: isStreamed)
            }
        }

        private func judge(_ row: Row) async -> Bool {
            let session = makeSession(offersHTTP2: !row.isHTTP1)
            let ending = await call(row.path, row.method, over: session, isStreamed: row.isStreamed)
            var complaint = ending.isSuccess == row.isComplete ? "" : "WRONG "
            if row.isComplete, !row.isHTTP1, ending.protocolName != "h2" { complaint = "WRONG: not over HTTP/2 " }
            if ending.elapsed > Self.bound { complaint += "WRONG: too late " }
            let milliseconds = Int(ending.elapsed / .milliseconds(1))
            print("\(row.path.padded(to: 56)) \(complaint)\(milliseconds) ms \(ending.text)")
            return complaint.isEmpty
        }

        /// Starts several calls that wait on the connection that a fault ends. Each must end with the connection.
        private func judgeNeighbours(of fault: String) async -> Bool {
            let session = makeSession()
            // This call opens the connection that the other calls share.
            _ = await call("/good/length", .get, over: session)
            let endings = await withTaskGroup(of: Ending.self) { group in
                for _ in 0..<5 { group.addTask { await call("/wait", .get, over: session) } }
                group.addTask {
                    await call("/\(fault)/without/before/later", .get, over: session, after: .milliseconds(200))
                }
                return await group.reduce(into: [Ending]()) { $0.append($1) }
            }
            let late = endings.count { $0.elapsed > Self.bound }
            let wrong = endings.count(where: \.isSuccess)
            let verdict = late + wrong == 0 ? "right" : "WRONG: \(late) too late, \(wrong) successes"
            print("\("5 calls with \(fault)".padded(to: 56)) \(verdict) \(endings.first?.text ?? "")")
            return late + wrong == 0
        }

        private func makeSession(offersHTTP2: Bool = true) -> CurlSession {
            var configuration = CurlSession.Configuration()
            configuration.proxy = .none
            configuration.offersHTTP2 = offersHTTP2
            configuration.tls.authorities = .file(authorities)
            return CurlSession(configuration)
        }

        private func request(
            _ path: String, _ method: HTTPMethod = .get, isStreamed: Bool = false
        ) -> APIRequest {
            var head = URLRequest(url: server.appending(path: path))
            head.httpMethod = method.rawValue
            var options = RequestOptions()
            options.deadline = .after(Self.deadline)
            if isStreamed { options.delivery = .streamed }
            return APIRequest(head: head, body: .none, options: options)
        }

        private func call(
            _ path: String, _ method: HTTPMethod, over session: CurlSession, after delay: Duration = .zero,
            isStreamed: Bool = false
        ) async -> Ending {
            let start = SystemTime.system.now + delay
            try? await SystemTime.system.sleep(until: start)
            var ending: Ending
            do {
                let response = try await session.send(request(path, method, isStreamed: isStreamed))
                let count = try await response.body.collect().count
                ending = Ending(
                    text: "\(response.head.status), \(count) bytes", isSuccess: true,
                    protocolName: response.metrics?.protocolName)
            } catch {
                ending = Ending(text: "\(error)", isSuccess: false)
            }
            ending.elapsed = SystemTime.system.now - start
            return ending
        }
    }

    extension String {
        fileprivate func padded(to width: Int) -> String {
            self + String(repeating: " ", count: max(0, width - count))
        }
    }
#endif
