import Errand

/// Opens and reads an event stream, again after it is lost.
struct EventStreamRun: Sendable {
    private let hub: EventStreamHub
    private let number: Int
    private let requests: EventStreamRequests
    private var machine: EventSourceMachine

    init(hub: EventStreamHub, number: Int) {
        (self.hub, self.number, requests) = (hub, number, hub.requests)
        machine = EventSourceMachine(hub.requests.options, requiresLastEvent: true)
    }

    /// Runs until the stream fails or the task is cancelled. If an earlier stream has failed, waits first.
    func run(after failure: ServiceError?) async {
        var copy = self
        do throws(ServiceError) {
            if let failure { try await copy.wait(after: failure) }
            while hub.isCurrent(number) { try await copy.connect() }
        } catch {
            hub.fail(error, run: number)
        }
    }

    private mutating func wait(after failure: ServiceError) async throws(ServiceError) {
        if case .wait(let wait) = try machine.streamEnded(failure, requests.moment()) {
            try await requests.sleep(for: wait)
        }
    }

    /// Opens the stream, reads it to its end, and waits before the next connection.
    private mutating func connect() async throws(ServiceError) {
        machine.connect(isRepeatable: true)
        var opened: Duration?
        let action: EventSourceMachine.Action
        do throws(ServiceError) {
            let token = try await requests.reserve()
            for try await activity in requests.activities(token) {
                switch activity {
                case .opened(let head):
                    opened = requests.time.now
                    hub.open(token, head, run: number)
                case .event(let event):
                    machine.receiveEvent()
                    try hub.deliver(event, run: number)
                case .comment, .disconnected: break
                }
            }
            hub.close(run: number)
            guard opened != nil else {
                throw ServiceError(.badResponse, "expected an event stream for the reservation, found no content")
            }
            action = try machine.streamEnded(nil, requests.moment(since: opened))
        } catch {
            hub.close(run: number)
            let moment = requests.moment(since: opened)
            action = try opened == nil ? machine.requestFailed(error, moment) : machine.streamEnded(error, moment)
        }
        if case .wait(let wait) = action { try await requests.sleep(for: wait) }
    }
}
