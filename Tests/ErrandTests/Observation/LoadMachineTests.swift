import Errand
import Testing

@Suite struct LoadMachineTests {
    typealias Machine = LoadMachine<Int, [Int]>
    typealias State = LoadState<[Int]>

    /// Events, and what they lead to. Inputs are the numbers of pages; there are three.
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

    private static func answer(_ generation: Int, _ value: Int) -> Machine.Event {
        .answer(generation: generation, Loaded(value: [value], head: head))
    }

    private static func failure(_ generation: Int) -> Machine.Event { .failure(generation: generation, error) }

    private static let head = ResponseHead(status: 200, url: URL(filePath: "/"))
    private static let error = ServiceError(.status, "no")
    private static let cancelled = ServiceError(.cancelled, "the session was")

    static let rows = [
        Row("nothing", [], .idle, []),
        Row("a load is on the way", [.load(1)], .loading(previous: nil), ["call 1: 1"]),
        Row("its answer is shown", [.load(3), answer(1, 30)], .loaded([30]), ["call 1: 3", "settle"]),
        Row("its failure is shown", [.load(1), failure(1)], .failed(error, previous: nil), ["call 1: 1", "settle"]),
        Row(
            "a newer load replaces it", [.load(1), .load(2)], .loading(previous: nil),
            ["call 1: 1", "cancel", "call 2: 2"]),
        Row(
            "a late answer is passed over", [.load(1), .load(3), answer(1, 10)], .loading(previous: nil),
            ["call 1: 1", "cancel", "call 2: 3"]),
        Row(
            "a later one too", [.load(1), .load(3), answer(2, 30), answer(1, 10), failure(1)], .loaded([30]),
            ["call 1: 1", "cancel", "call 2: 3", "settle"]),
        Row(
            "the value before stays", [.load(3), answer(1, 30), .load(2)], .loading(previous: [30]),
            ["call 1: 3", "settle", "call 2: 2"]),
        Row(
            "a failure keeps it", [.load(3), answer(1, 30), .reload, failure(2)], .failed(error, previous: [30]),
            ["call 1: 3", "settle", "call 2: 3", "settle"]),
        Row(
            "cancelling goes back to nothing", [.load(1), .cancel, answer(1, 10)], .idle,
            ["call 1: 1", "cancel", "settle"]),
        Row(
            "cancelling goes back to the value", [.load(3), answer(1, 30), .load(2), .cancel, failure(2)],
            .loaded([30]), ["call 1: 3", "settle", "call 2: 2", "cancel", "settle"]),
        Row(
            "cancelling goes back to the failure", [.load(1), failure(1), .reload, .cancel],
            .failed(error, previous: nil), ["call 1: 1", "settle", "call 2: 1", "cancel", "settle"]),
        Row("there is nothing to cancel", [.cancel], .idle, []),
        Row("there is nothing to reload", [.reload], .idle, []),
        Row(
            "a reload asks for the last input, also a cancelled one", [.load(1), .load(2), .cancel, .reload],
            .loading(previous: nil), ["call 1: 1", "cancel", "call 2: 2", "cancel", "settle", "call 3: 2"]),
        Row(
            "a cancellation of the session's own is a failure",
            [.load(1), .failure(generation: 1, cancelled)], .failed(cancelled, previous: nil), ["call 1: 1", "settle"]),
        Row("there is no more of nothing", [.more], .idle, []),
        Row("more can be loaded", [.load(1), answer(1, 10)], .loaded([10]), ["call 1: 1", "settle"], more: true),
        Row(
            "more is joined", [.load(1), answer(1, 10), .more, answer(2, 20), .more, answer(3, 30)],
            .loaded([10, 20, 30]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 3", "settle"]),
        Row("the last page has no more", [.load(3), answer(1, 30), .more], .loaded([30]), ["call 1: 3", "settle"]),
        Row(
            "there is no more while it loads", [.load(1), answer(1, 10), .reload, .more], .loading(previous: [10]),
            ["call 1: 1", "settle", "call 2: 1"]),
        Row(
            "more that fails can be tried again", [.load(1), answer(1, 10), .more, failure(2), .more, answer(3, 20)],
            .loaded([10, 20]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 2", "settle"], more: true),
        Row(
            "a load replaces more", [.load(1), answer(1, 10), .more, .load(3), answer(2, 20), answer(3, 30)],
            .loaded([30]), ["call 1: 1", "settle", "call 2: 2", "cancel", "call 3: 3", "settle"]),
        Row(
            "more that is cancelled can be tried again", [.load(1), answer(1, 10), .more, .cancel], .loaded([10]),
            ["call 1: 1", "settle", "call 2: 2", "cancel", "settle"], more: true),
        Row(
            "a reload begins with the first page again",
            [.load(1), answer(1, 10), .more, answer(2, 20), .reload, answer(3, 11)],
            .loaded([11]), ["call 1: 1", "settle", "call 2: 2", "settle", "call 3: 1", "settle"], more: true),
        Row(
            "after a reload that failed there still is more", [.load(1), answer(1, 10), .reload, failure(2)],
            .failed(error, previous: [10]), ["call 1: 1", "settle", "call 2: 1", "settle"], more: true),
        Row(
            "after another input that failed there is none", [.load(1), answer(1, 10), .load(2), failure(2), .more],
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
        case .settle: "settle"
        }
    }

    @Test(
        arguments: [
            (.idle, nil, false), (.loading(previous: nil), nil, true), (.loading(previous: [1]), [1], true),
            (.loaded([2]), [2], false), (.failed(error, previous: [3]), [3], false),
            (.failed(error, previous: nil), nil, false),
        ] as [(State, [Int]?, Bool)])
    func `a state says what there is to show`(state: State, value: [Int]?, isLoading: Bool) {
        #expect(state.value == value && state.isLoading == isLoading)
        if case .failed = state { #expect(state.error?.code == .status) } else { #expect(state.error == nil) }
    }
}
