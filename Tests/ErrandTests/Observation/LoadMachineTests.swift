import Errand
import Testing

@Suite struct LoadMachineTests {
    typealias Machine = LoadMachine<Int, [Int]>
    typealias State = LoadState<[Int]>

    /// Events with the expected state and actions. Inputs are page numbers from 1 to 3.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [Machine.Event]
        let state: State
        let actions: [String]
        var more = false

        init(_ name: String, _ events: [Machine.Event], _ state: State, _ actions: [String], more: Bool = false) {
            (testDescription, self.events, self.state, self.actions) = (name, events, state, actions)
            self.more = more
        }
    }

    private static func response(_ generation: Int, _ value: Int) -> Machine.Event {
        .response(generation: generation, Loaded(value: [value], head: head))
    }

    private static func cached(_ generation: Int, _ value: Int) -> Machine.Event {
        .cached(generation: generation, Loaded(value: [value], head: head))
    }

    private static func failure(_ generation: Int) -> Machine.Event { .failure(generation: generation, error) }

    private static let head = ResponseHead(status: 200, url: URL(filePath: "/"))
    private static let error = ServiceError(.status, "no")
    private static let cancelled = ServiceError(.cancelled, "the session was")

    static let rows = [
        Row("no events", [], .idle, []),
        Row("a load is running", [.load(1)], .loading(previous: nil), ["call 1: 1"]),
        Row("a response is shown", [.load(3), response(1, 30)], .loaded([30]), ["call 1: 3", "settle"]),
        Row("a failure is shown", [.load(1), failure(1)], .failed(error, previous: nil), ["call 1: 1", "settle"]),
        Row(
            "a newer load replaces a load", [.load(1), .load(2)], .loading(previous: nil),
            ["call 1: 1", "cancel", "call 2: 2"]),
        Row(
            "a late response is ignored", [.load(1), .load(3), response(1, 10)], .loading(previous: nil),
            ["call 1: 1", "cancel", "call 2: 3"]),
        Row(
            "late responses are ignored", [.load(1), .load(3), response(2, 30), response(1, 10), failure(1)],
            .loaded([30]),
            ["call 1: 1", "cancel", "call 2: 3", "settle"]),
        Row(
            "the previous value stays", [.load(3), response(1, 30), .load(2)], .loading(previous: [30]),
            ["call 1: 3", "settle", "call 2: 2"]),
        Row(
            "a failure keeps the value", [.load(3), response(1, 30), .reload, failure(2)],
            .failed(error, previous: [30]),
            ["call 1: 3", "settle", "call 2: 3", "settle"]),
        Row(
            "cancelling restores idle", [.load(1), .cancel, response(1, 10)], .idle,
            ["call 1: 1", "cancel", "settle"]),
        Row(
            "cancelling restores the value", [.load(3), response(1, 30), .load(2), .cancel, failure(2)],
            .loaded([30]), ["call 1: 3", "settle", "call 2: 2", "cancel", "settle"]),
        Row(
            "cancelling restores the failure", [.load(1), failure(1), .reload, .cancel],
            .failed(error, previous: nil), ["call 1: 1", "settle", "call 2: 1", "cancel", "settle"]),
        Row("cancel without a load", [.cancel], .idle, []),
        Row("reload without a load", [.reload], .idle, []),
        Row(
            "a reload repeats the last input, even if cancelled", [.load(1), .load(2), .cancel, .reload],
            .loading(previous: nil), ["call 1: 1", "cancel", "call 2: 2", "cancel", "settle", "call 3: 2"]),
        Row(
            "a cancellation by the session is a failure",
            [.load(1), .failure(generation: 1, cancelled)], .failed(cancelled, previous: nil), ["call 1: 1", "settle"]),
        Row("more without a load", [.more], .idle, []),
        Row("more can be loaded", [.load(1), response(1, 10)], .loaded([10]), ["call 1: 1", "settle"], more: true),
        Row(
            "more is appended", [.load(1), response(1, 10), .more, response(2, 20), .more, response(3, 30)],
            .loaded([10, 20, 30]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 3", "settle"]),
        Row("the last page has no more", [.load(3), response(1, 30), .more], .loaded([30]), ["call 1: 3", "settle"]),
        Row(
            "more is ignored while loading", [.load(1), response(1, 10), .reload, .more], .loading(previous: [10]),
            ["call 1: 1", "settle", "call 2: 1"]),
        Row(
            "more can be retried after a failure",
            [.load(1), response(1, 10), .more, failure(2), .more, response(3, 20)],
            .loaded([10, 20]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 2", "settle"], more: true),
        Row(
            "a load replaces more", [.load(1), response(1, 10), .more, .load(3), response(2, 20), response(3, 30)],
            .loaded([30]), ["call 1: 1", "settle", "call 2: 2", "cancel", "call 3: 3", "settle"]),
        Row(
            "more can be retried after a cancellation", [.load(1), response(1, 10), .more, .cancel], .loaded([10]),
            ["call 1: 1", "settle", "call 2: 2", "cancel", "settle"], more: true),
        Row(
            "a reload starts with the first page",
            [.load(1), response(1, 10), .more, response(2, 20), .reload, response(3, 11)],
            .loaded([11]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 1", "settle"], more: true),
        Row(
            "more is available after a failed reload", [.load(1), response(1, 10), .reload, failure(2)],
            .failed(error, previous: [10]), ["call 1: 1", "settle", "call 2: 1", "settle"], more: true),
        Row(
            "a stored value is shown while loading", [.load(1), cached(1, 10)], .loading(previous: [10]),
            ["call 1: 1", "show"]),
        Row(
            "a response replaces the stored value", [.load(3), cached(1, 10), response(1, 30)], .loaded([30]),
            ["call 1: 3", "show", "settle"]),
        Row(
            "a failure keeps the stored value", [.load(1), cached(1, 10), failure(1)],
            .failed(error, previous: [10]), ["call 1: 1", "show", "settle"], more: true),
        Row(
            "cancelling keeps the stored value", [.load(3), cached(1, 10), .cancel, response(1, 30)],
            .loaded([10]), ["call 1: 3", "show", "cancel", "settle"]),
        Row(
            "a late stored value is ignored", [.load(1), .load(3), cached(1, 10), response(2, 30), cached(2, 10)],
            .loaded([30]), ["call 1: 1", "cancel", "call 2: 3", "settle"]),
        Row(
            "no more after a failed load of another input", [.load(1), response(1, 10), .load(2), failure(2), .more],
            .failed(error, previous: [10]), ["call 1: 1", "settle", "call 2: 2", "settle"]),
    ]

    @Test(arguments: rows)
    func `events lead to a state and to actions`(row: Row) {
        var machine = Machine(more: LoadRule(next: { last, _ in last < 3 ? last + 1 : nil }, join: +))
        let actions = row.events.flatMap { machine.handle($0) }
        #expect(machine.state == row.state)
        #expect(actions.map(Self.text) == row.actions)
        #expect(machine.canLoadMore == row.more)
    }

    private static func text(_ action: Machine.Action) -> String {
        switch action {
        case .cancelCall: "cancel"
        case .call(let generation, let input): "call \(generation): \(input)"
        case .show: "show"
        case .settle: "settle"
        }
    }

    @Test(
        arguments: [
            (.idle, nil, false), (.loading(previous: nil), nil, true), (.loading(previous: [1]), [1], true),
            (.loaded([2]), [2], false), (.failed(error, previous: [3]), [3], false),
            (.failed(error, previous: nil), nil, false),
        ] as [(State, [Int]?, Bool)])
    func `a state has its value and whether it is loading`(state: State, value: [Int]?, isLoading: Bool) {
        #expect(state.value == value && state.isLoading == isLoading)
        if case .failed = state { #expect(state.error?.code == .status) } else { #expect(state.error == nil) }
    }
}
