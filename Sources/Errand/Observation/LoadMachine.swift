/// The decisions of an ``APIModel``: which answer counts, and what is shown.
///
/// Each call has a generation; only the answer of the one that is on the way counts.
package struct LoadMachine<Input: Sendable, Value: Sendable>: Sendable {
    /// What happens to it.
    package enum Event: Sendable {
        case load(Input)
        case reload
        case more
        case cancel
        /// `next` is the input that comes next, if the answer's reader already knows it.
        case answer(generation: Int, Loaded<Value>, next: Result<Input?, ServiceError>? = nil)
        case failure(generation: Int, ServiceError)
    }

    /// What is to be done about an event. None: the event changed nothing.
    package enum Action: Sendable {
        /// End the call that was on the way.
        case cancelCall
        case call(generation: Int, Input)
        /// Nothing is on the way any more.
        case settle
    }

    /// The input that was requested last. A reload uses the same target again.
    private struct Target {
        let number: Int
        let input: Input
    }

    private struct Call {
        let generation: Int
        let target: Target
        let input: Input
        /// The number of the page in the list, from 1.
        let page: Int
        /// Not nil where the answer joins what is shown.
        let join: (@Sendable (_ shown: Value, _ answer: Value) -> Value)?
    }

    /// How the value that is shown goes on, and what it answered; an error where the answer does not tell.
    private struct Continuation {
        let target: Target
        let page: Int
        let next: Result<Input, ServiceError>
    }

    private let more: LoadRule<Input, Value>?
    private var generation = 0
    private var target: Target?
    private var call: Call?
    private var settled = LoadState<Value>.idle
    /// Also `nil` after a failed load of another target. Otherwise, a page of the older list could be shown for the newer
    /// one.
    private var continuation: Continuation?

    package init(more: LoadRule<Input, Value>? = nil) {
        self.more = more
    }

    /// What a view shows.
    package var state: LoadState<Value> { call == nil ? settled : .loading(previous: settled.value) }

    /// Whether there is more, and nothing is on the way.
    package var canLoadMore: Bool { call == nil && continuation != nil }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .load(let input):
            return ask(Target(number: (target?.number ?? 0) + 1, input: input))
        case .reload:
            return target.map { ask($0) } ?? []
        case .more:
            guard call == nil, let continuation else { return [] }
            return goOn(continuation)
        case .cancel:
            guard call != nil else { return [] }
            call = nil
            return [.cancelCall, .settle]
        case .answer(let generation, let answer, let next):
            return end(generation) { $0.accept(answer, next, of: $1) }
        case .failure(let generation, let error):
            return end(generation) { $0.refuse(error, of: $1) }
        }
    }
}

extension LoadMachine {
    private mutating func ask(_ target: Target) -> [Action] {
        self.target = target
        return start(Call(generation: generation + 1, target: target, input: target.input, page: 1, join: nil))
    }

    private mutating func goOn(_ continuation: Continuation) -> [Action] {
        switch continuation.next {
        case .success(let input):
            return start(
                Call(
                    generation: generation + 1, target: continuation.target, input: input, page: continuation.page,
                    join: more?.join))
        case .failure(let error):
            settled = .failed(error, previous: settled.value)
            self.continuation = nil
            return [.settle]
        }
    }

    private mutating func start(_ next: Call) -> [Action] {
        let replaced: [Action] = call == nil ? [] : [.cancelCall]
        generation = next.generation
        call = next
        return replaced + [.call(generation: next.generation, next.input)]
    }

    /// Ends the call that is on the way; whatever comes of an older one is passed over.
    private mutating func end(_ generation: Int, _ body: (inout Self, Call) -> Void) -> [Action] {
        guard let call, call.generation == generation else { return [] }
        self.call = nil
        body(&self, call)
        return [.settle]
    }

    private mutating func accept(
        _ answer: Loaded<Value>, _ known: Result<Input?, ServiceError>?, of call: Call
    ) {
        if let join = call.join, let shown = settled.value {
            settled = .loaded(join(shown, answer.value))
        } else {
            settled = .loaded(answer.value)
        }
        continuation = next(call, answer, known).map {
            Continuation(target: call.target, page: call.page + 1, next: $0)
        }
    }

    private func next(
        _ call: Call, _ answer: Loaded<Value>, _ known: Result<Input?, ServiceError>?
    ) -> Result<Input, ServiceError>? {
        do {
            let next = if let known { try known.get() } else { try more?.next(call.input, answer) }
            guard let next else { return nil }
            return try more?.policy?.allowsPage(after: call.page) ?? true ? .success(next) : nil
        } catch {
            return .failure(
                ServiceError(wrapping: error, as: .badResponse, "the answer does not tell what comes next"))
        }
    }

    private mutating func refuse(_ error: ServiceError, of call: Call) {
        settled = .failed(error, previous: settled.value)
        if continuation?.target.number != call.target.number { continuation = nil }
    }
}
