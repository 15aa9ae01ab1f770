import Dispatch
import Errand
import ErrandSupport

// On Apple platforms, a `URLProtocol` may call its client from any thread. On Linux, a call from any queue except the
// single internal queue of all sessions ends the process, and that queue is not accessible. But `startLoading` of
// every task runs on it. A job is therefore run as the "loading" of a task that exists only for this purpose.

#if canImport(FoundationNetworking)
    extension Platform {
        /// Runs a job on a queue from which a `URLProtocol` may call its client.
        static func runOnClientQueue(_ job: @escaping @Sendable () -> Void) { JobProtocol.run(job) }

        /// On Linux, a completion handler gets only the last chunk.
        static let completionHandlersLoseParts = true
    }

    private final class JobProtocol: URLProtocol {
        private struct State {
            var lastID = 0
            var jobs: [String: @Sendable () -> Void] = [:]
        }

        private static let state = Locked(State())

        /// Starting a task can wait for the platform's queue. That wait must not block a thread of Swift's pool.
        private static let startQueue = DispatchQueue(label: "errand.stub.start")

        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [JobProtocol.self]
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            return URLSession(configuration: configuration)
        }()

        static func run(_ job: @escaping @Sendable () -> Void) {
            let id = state.withLock { state in
                state.lastID += 1
                state.jobs["\(state.lastID)"] = job
                return state.lastID
            }
            guard let url = URL(string: "errand-job://\(id)/") else { return }
            startQueue.async { session.dataTask(with: url) { _, _, _ in }.resume() }
        }

        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            let id = request.url?.host() ?? ""
            Self.state.withLock { $0.jobs.removeValue(forKey: id) }?()
            client?.urlProtocolDidFinishLoading(self)
        }
    }
#else
    extension Platform {
        static func runOnClientQueue(_ job: @escaping @Sendable () -> Void) { job() }

        static let completionHandlersLoseParts = false
    }
#endif
