import Errand
import ErrandTesting
import TestSupport
import Testing

/// Random orders of events on a model, compared with a reference without generations. The reference identifies the
/// newest request by its path and number.
@MainActor @Suite(.timeLimit(.minutes(2))) struct APIModelInterleavingTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `no order of events shows stale data or loads forever`() async {
        let first = UInt64.random(in: 0 ..< .max / 2)
        for round in 0..<TestEnvironment.rounds(300, heavy: 5_000, patient: 50) {
            let scene = InterleavingScene(seed: first + UInt64(round))
            await scene.run(steps: 40)
            guard scene.complaints.isEmpty else {
                Issue.record("seed \(first + UInt64(round)): \(scene.complaints.joined(separator: "\n"))")
                return
            }
        }
    }
}

/// A model, a session with responses that the test releases, and the expected state.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor private final class InterleavingScene {
    /// The last load. Requests with the same path may precede or follow it.
    private struct Asked {
        let name: String
        let page: Int
        let since: Int

        var path: String { "/\(name)/\(page)" }
    }

    /// The expected state when no load is running.
    private struct Shown: Equatable {
        var value: [String]?
        var failure: ServiceError.Code?
    }

    private var random: SplitMix
    private let clock = ManualClock()
    private let session = HeldSession()
    private let model: APIModel<ListAPI>
    private var log: [String] = []
    private(set) var complaints: [String] = []

    private var names = 0
    private var started = 0
    private var lastName: String?
    private var asked: Asked?
    private var shown = Shown()
    /// The list and the number of its next page.
    private var next: (name: String, page: Int)?
    private var waiters: [Task<LoadState<[String]>, Never>] = []

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        model = APIModel(APILoader(ListAPI(), session: session, time: clock), more: .numbered(\.page))
    }

    func run(steps: Int) async {
        for _ in 0..<steps where complaints.isEmpty {
            await step()
            check()
        }
        clock.advance(by: .seconds(100))
        await quiet()
        while let request = session.held.randomElement(using: &random), complaints.isEmpty {
            release(request)
            await quiet()
            check()
        }
        if complaints.isEmpty, model.state.isLoading || session.held.count + clock.sleepers > 0 {
            complain("the model is loading after the last response")
        }
        model.cancel()
        for waiter in waiters {
            let state = await waiter.value
            if state.isLoading, !waiter.isCancelled { complain("a waiter received a loading state") }
        }
    }

    private func step() async {
        switch random.next() % 12 {
        case 0, 1: load(after: .zero)
        case 2, 3: load(after: .milliseconds(Int(random.next() % 300) + 1))
        case 4: await more()
        case 5: await reload()
        case 6: cancel()
        case 7: await tick()
        case 8: wait()
        case 9:  // the load is replaced before its response arrives
            if let request = session.held.randomElement(using: &random) { release(request, isOvertaken: true) }
            random.next() % 2 == 0 ? cancel() : load(after: .zero)
        default:
            await quiet()
            if let request = session.held.randomElement(using: &random) { release(request) }
            await quiet()
        }
        if random.next() % 4 != 0 { await quiet() }
    }

    /// Waits until every call has ended or waits for its response or the clock.
    private func quiet() async {
        await until { self.model.endedCalls + self.session.held.count + self.clock.sleepers >= self.started }
    }

    private func complain(_ text: String) {
        complaints.append("\(text) [\(log.joined(separator: ", "))]")
    }

    private func check() {
        let state = model.state
        if state.isLoading != (asked != nil) {
            complain("the model is \(state.isLoading ? "" : "not ")loading, last load: \(asked?.path ?? "nothing")")
        }
        if state.value != shown.value {
            complain("shows \(state.value ?? []), expected \(shown.value ?? [])")
        }
        let failure = asked == nil ? shown.failure : nil
        if state.error?.code != failure { complain("unexpected error \(state.error?.reason ?? "none")") }
        let isMore = asked == nil && next != nil
        if model.canLoadMore != isMore { complain("expected canLoadMore to be \(isMore)") }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension InterleavingScene {
    /// Records a call before it is made, because its request can arrive at any later time.
    private func began(_ name: String, page: Int) {
        asked = Asked(name: name, page: page, since: session.arrived)
        started += 1
    }

    private func load(after delay: Duration) {
        names += 1
        let name = "n\(names)"
        log.append("load \(name) after \(delay)")
        lastName = name
        began(name, page: 1)
        model.load(.init(name), debounce: delay)
    }

    private func reload() async {
        await quiet()
        log.append("reload")
        if let lastName { began(lastName, page: 1) }
        model.reload()
        await quiet()
    }

    private func more() async {
        await quiet()
        log.append("more")
        if asked == nil, let next { began(next.name, page: next.page) }
        model.loadMore()
        await quiet()
    }

    private func cancel() {
        log.append("cancel")
        model.cancel()
        asked = nil
    }

    private func tick() async {
        await quiet()
        let step = Duration.milliseconds(Int(random.next() % 200))
        log.append("tick \(step)")
        clock.advance(by: step)
    }

    private func wait() {
        log.append("wait")
        let waiter = Task { await model.settled() }
        if random.next() % 3 == 0 { waiter.cancel() }
        waiters.append(waiter)
    }

    private func release(_ request: HeldSession.Held, isOvertaken: Bool = false) {
        let text = random.next() % 3 == 0 ? nil : "\(request.path)#\(request.number)"
        log.append("\(text == nil ? "fail" : "respond") \(request.path)#\(request.number)")
        session.release(request, with: text)
        guard !isOvertaken, let asked, asked.path == request.path, request.number > asked.since else { return }
        self.asked = nil
        if let text {
            shown = Shown(value: (asked.page > 1 ? shown.value ?? [] : []) + [text])
            next = asked.page < 3 ? (asked.name, asked.page + 1) : nil
        } else {
            shown.failure = .connectionLost
            if next?.name != asked.name { next = nil }
        }
    }
}
