import Errand
import ErrandLoopback
import ErrandTesting
import TestSupport

/// A column of the fault matrix: one session with every fault.
struct FaultMatrix: Sendable {
    let subject: Subject

    /// The result of one fault.
    struct Cell: Sendable {
        let fault: Fault
        var outcome: Outcome?
        var elapsed: Duration = .zero
        var note = ""
        var isWrong = false

        var line: String {
            let time =
                "\(elapsed.components.seconds * 1_000 + elapsed.components.attoseconds / 1_000_000_000_000_000) ms"
            let verdict = isWrong ? "WRONG " : ""
            return [
                fault.name.padded(to: 36), (outcome?.description ?? "-").padded(to: 26),
                (outcome == nil ? "" : time).padded(to: 9), verdict + note,
            ].joined(separator: " ")
        }
    }

    /// The result of one call.
    private struct Ending: Sendable {
        let outcome: Outcome
        /// The reason of the error.
        var reason: String?
        /// The flaw of a response header that the session returned.
        var flaw: String?
    }

    /// Runs all faults in sequence and prints their results. Returns whether all of them are correct.
    func run() async throws -> Bool {
        print("session: \(subject.name)")
        // The first calls of a process create resources that remain.
        try await warmUp()
        let before = await ProcessFigures.settled(within: nil)
        var isRight = true
        for fault in Fault.all {
            let cell = try await best(of: fault)
            print(cell.line)
            isRight = isRight && !cell.isWrong
        }
        let after = await ProcessFigures.settled(within: before)
        let isClean = after.isWithin(before)
        print("\(isClean ? "no leak" : "WRONG leak"): \(before) before, \(after) after")
        return isRight && isClean
    }

    private func warmUp() async throws {
        for _ in 0..<3 {
            let fault = Fault("warm-up", .response(200, "x")) { _ in .text("x") }
            _ = try await cell(fault)
        }
    }

    /// Returns the result of a fault. If it takes too long, repeats it up to twice, because the machine may be busy.
    private func best(of fault: Fault) async throws -> Cell {
        if case .notRun(let reason) = subject.limits[fault.name] {
            return Cell(fault: fault, note: "not run: \(reason)")
        }
        var cell = try await cell(fault)
        // A limit of the platform may be a long wait, which ends at the call's own deadline.
        let bound = (subject.limits[fault.name] == nil ? fault.bound : .seconds(3)) * TestEnvironment.patience
        for _ in 0..<2 where cell.elapsed > bound { cell = try await self.cell(fault) }
        if cell.elapsed > bound {
            cell.isWrong = true
            cell.note += "; expected at most \(bound)"
        }
        return cell
    }

    private func cell(_ fault: Fault) async throws -> Cell {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 100
        return try await LoopbackServer.withServer(configuration: configuration, fault.reply) { server in
            var cell = Cell(fault: fault)
            let session = subject.make()
            for _ in 0..<fault.rounds {
                try await prepare(fault, session, server)
                let start = SystemTime.system.now
                let ending = await call(fault, session, server)
                cell.elapsed += SystemTime.system.now - start
                judge(&cell, ending, fault.check(server.requests))
                if cell.isWrong { break }
            }
            for leak in await leaks(fault, server) {
                cell.isWrong = true
                cell.note += "; a secret is printed: \(leak)"
            }
            return cell
        }
    }

    private func judge(_ cell: inout Cell, _ ending: Ending, _ complaint: String?) {
        cell.outcome = ending.outcome
        let isRight = cell.fault.allowed.contains(ending.outcome) && ending.flaw == nil
        switch subject.limits[cell.fault.name] {
        case .ends(let expected, let reason),
            .mayEnd(let expected, let reason) where !isRight:
            cell.isWrong = ending.outcome != expected
            cell.note = cell.isWrong ? "expected the platform's limit \(expected)" : "platform limit: \(reason)"
        default:
            cell.isWrong = !isRight
            let allowed = cell.fault.allowed.map(\.description).joined(separator: " or ")
            cell.note = cell.isWrong ? "expected \(allowed)" : "right"
        }
        cell.isWrong = cell.isWrong || complaint != nil
        let details = cell.isWrong ? [ending.reason, ending.flaw, complaint] : []
        cell.note += details.compactMap(\.self).map { "; \($0)" }.joined()
    }
}

extension FaultMatrix {
    private func prepare(_ fault: Fault, _ session: any APISession, _ server: LoopbackServer) async throws {
        switch fault.prelude {
        case .nothing: return
        case .call: _ = try await session.send(request(fault, server.url, path: "/prelude", isPrelude: true))
        case .closedConnection:
            _ = try await session.send(request(fault, server.url, path: "/prelude", isPrelude: true))
            for await statistics in server.statisticsUpdates where statistics.openConnections == 0 { break }
        }
    }

    /// Sends another call through all interceptors. Returns the printable texts that contain its secret.
    private func leaks(_ fault: Fault, _ server: LoopbackServer) async -> [String] {
        let scan = SecretScan(
            url(of: fault, server), fault.method, idle: .milliseconds(300), total: .milliseconds(900))
        let session = subject.make()
        let leaks = await bounded(by: Fault.deadline * 4 * TestEnvironment.patience) {
            await scan.leaks(over: session)
        }
        return leaks ?? ["the call did not end"]
    }

    /// No server listens on port 1. Another process could already use a port that was released just now.
    private func url(of fault: Fault, _ server: LoopbackServer) -> URL {
        fault.isServed ? server.url : URL(string: "http://127.0.0.1:1") ?? server.url
    }

    private func call(_ fault: Fault, _ session: any APISession, _ server: LoopbackServer) async -> Ending {
        let request = request(fault, url(of: fault, server), path: "/a")
        let ending: Ending? = await bounded(by: Fault.deadline * 4 * TestEnvironment.patience) {
            do {
                let response = try await session.send(request)
                let body = try await response.body.collect()
                let flaw = response.head.headers.first { $0.flaw != nil }?.flaw
                let text = String(decoding: body.prefix(100), as: UTF8.self)
                return Ending(outcome: .response(response.head.status, text), flaw: flaw)
            } catch {
                let error = ServiceError(wrapping: error, as: .transport, "")
                return Ending(outcome: .error(error.code), reason: error.reason)
            }
        }
        return ending ?? Ending(outcome: .hang)
    }

    private func request(_ fault: Fault, _ base: URL, path: String, isPrelude: Bool = false) -> APIRequest {
        var head = URLRequest(url: URL(string: path, relativeTo: base)?.absoluteURL ?? base)
        head.httpMethod = isPrelude ? "GET" : fault.method.rawValue
        for (name, value) in fault.headers { head.setValue(value, forHTTPHeaderField: name) }
        var options = RequestOptions()
        options.idleTimeout = Fault.idleTimeout
        options.deadline = .after(Fault.deadline)
        options.delivery = .buffered(upTo: Fault.bodyLimit)
        let body = isPrelude ? nil : fault.body
        return APIRequest(head: head, body: body.map { .data(Data($0.utf8)) } ?? .none, options: options)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
