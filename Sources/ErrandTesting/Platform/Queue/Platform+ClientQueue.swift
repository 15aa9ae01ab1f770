import Dispatch
import Errand
import ErrandSupport

// Where a `URLProtocol` may call its client. On Apple platforms: anywhere. On Linux a call from elsewhere than the one
// queue on which all sessions of the process work ends the process, and that queue has no name by which to get at it.
// But `startLoading` of every task runs there: a job is run as the "loading" of a task that exists for nothing else.

#if canImport(FoundationNetworking)
    extension Platform {
        /// Runs a job where a `URLProtocol` may call its client.
        static func runOnClientQueue(_ job: @escaping @Sendable () -> Void) { JobProtocol.run(job) }

        /// A completion handler gets only the last part there.
        static let completionHandlersLoseParts = true
    }

    private final class JobProtocol: URLProtocol {
        private struct State {
            var lastID = 0
            var jobs: [String: @Sendable () -> Void] = [:]
        }

        private static let state = Locked(State())

        /// Starting a task can wait for the platform's queue, for which no task of Swift's pool may be kept.
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
