public import Errand
import ErrandLoopback
import ErrandSupport

/// Sends many requests with a session to a loopback server, which responds with the bytes of a ``WireMutator``.
///
/// ```swift
/// let report = try await WireFuzz(seed: 7, count: 60_000).run(CurlSession())
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
/// A violation contains the seed and the index. `WireMutator(seed:).exchange(index)` reproduces its bytes. If a
/// session can end the process, run it in a separate process.
public struct WireFuzz: Sendable {
    /// The seed of the mutator.
    public var seed: UInt64
    /// The indices of the exchanges. They start at 0 by default.
    public var indices: Range<Int>
    /// The maximum number of concurrent requests. The default is 16.
    public var inFlight: Int = 16
    /// The maximum size of each body in bytes. The default is 1 MB.
    public var bodyLimit: Int = 1 << 20
    /// The idle timeout of each request. The default is one second. The server is never silent on an open connection.
    public var idleTimeout: Duration = .seconds(1)
    /// The deadline of each request. The default is three seconds. A request hangs after three times this deadline.
    public var deadline: Duration = .seconds(3)

    /// Creates a run of `count` exchanges from index `start`.
    public init(seed: UInt64, count: Int, from start: Int = 0) {
        self.seed = seed
        indices = start..<max(start, start + count)
    }

    /// Sends all requests and checks their results.
    ///
    /// An unexpected error can be caused by the machine, or by a connection that another exchange has broken. Such an
    /// exchange is repeated alone, and counts only if it fails again. A wrong response counts at once.
    /// - Throws: An error if the server cannot be started. Errors of the session are part of the report.
    public func run(_ session: any APISession) async throws -> Report {
        let start = SystemTime.system.now
        let pending = PendingExchanges()
        var report = try await LoopbackServer.withServer(configuration: PendingExchanges.configuration, pending.reply) {
            server in
            let trial = Trial(fuzz: self, session: session, pending: pending, base: server.url)
            var report = await runAll(trial)
            for exchange in report.doubts { report.settle(exchange, await trial.outcome(of: exchange)) }
            return report
        }
        report.elapsed = SystemTime.system.now - start
        return report
    }

    private func runAll(_ trial: Trial) async -> Report {
        let mutator = WireMutator(seed: seed)
        return await withTaskGroup(of: (WireExchange, Outcome).self) { group in
            var report = Report()
            var started = 0
            for index in indices where report.hangs < Report.hangLimit {
                if started >= max(1, inFlight), let (exchange, outcome) = await group.next() {
                    report.add(exchange, outcome)
                }
                started += 1
                group.addTask {
                    let exchange = mutator.exchange(index)
                    return (exchange, await trial.outcome(of: exchange))
                }
            }
            for await (exchange, outcome) in group { report.add(exchange, outcome) }
            return report
        }
    }
}

extension WireFuzz {
    /// The result of one request.
    enum Outcome: Sendable {
        case fine(isResponse: Bool)
        case wrong(String)
        /// Wrong, unless the cause is outside of the session.
        case doubtful(String)
        case hung
    }

    /// The running exchanges. The server finds them by the path of the request.
    private final class PendingExchanges: Sendable {
        private let exchanges = Locked<[Int: WireExchange]>([:])

        static var configuration: LoopbackServer.Configuration {
            var configuration = LoopbackServer.Configuration()
            configuration.limits.openConnections = 8_192
            return configuration
        }

        func put(_ exchange: WireExchange) { exchanges.withLock { $0[exchange.index] = exchange } }

        func remove(_ exchange: WireExchange) { exchanges.withLock { _ = $0.removeValue(forKey: exchange.index) } }

        @Sendable func reply(to request: LoopbackRequest) -> LoopbackReply {
            let exchange = exchanges.withLock { $0[Int(request.path.dropFirst()) ?? -1] }
            return exchange.map { LoopbackReply($0) } ?? .closeWithoutReply
        }
    }

    private struct Trial: Sendable {
        let fuzz: WireFuzz
        let session: any APISession
        let pending: PendingExchanges
        let base: URL

        func outcome(of exchange: WireExchange) async -> Outcome {
            pending.put(exchange)
            defer { pending.remove(exchange) }
            guard let result = await bounded(by: fuzz.deadline * 3, { await send(exchange) }) else { return .hung }
            guard let complaint = exchange.violation(in: result) else {
                if case .success = result { return .fine(isResponse: true) }
                return .fine(isResponse: false)
            }
            if case .failure = result { return .doubtful(complaint) }
            return .wrong(complaint)
        }

        private func send(_ exchange: WireExchange) async -> Result<(head: ResponseHead, body: Data), any Error> {
            var head = URLRequest(url: base.appending(path: "\(exchange.index)"))
            head.httpMethod = exchange.method.rawValue
            var options = RequestOptions()
            options.delivery = .buffered(upTo: fuzz.bodyLimit)
            options.idleTimeout = fuzz.idleTimeout
            options.deadline = .after(fuzz.deadline)
            options.redirects = .manual
            do {
                let response = try await session.send(APIRequest(head: head, body: .none, options: options))
                return .success((response.head, try await response.body.collect()))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension LoopbackReply {
    /// A raw reply that writes each part of an exchange separately.
    init(_ exchange: WireExchange) {
        let steps = exchange.parts.flatMap { [RawStep.pause(.zero), .bytes($0)] }
        let ending: Ending? =
            switch exchange.ending {
            case .keepOpen: nil
            case .close: .close
            case .reset: .reset
            }
        self = .raw(Array(steps.dropFirst()), then: ending)
    }
}
