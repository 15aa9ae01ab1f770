import Errand
import ErrandTesting
import Foundation
import Testing

@Suite struct EventSourceMachineTests {
    private typealias Machine = EventSourceMachine

    private static let lost = ServiceError(.connectionLost, "lost")

    private func machine(
        requiresLastEvent: Bool = false, isRepeatable: Bool = true, _ change: (inout EventOptions) -> Void = { _ in }
    ) -> EventSourceMachine {
        var options = EventOptions()
        change(&options)
        var machine = Machine(options, requiresLastEvent: requiresLastEvent)
        machine.connect(isRepeatable: isRepeatable)
        return machine
    }

    private func refused(_ status: Int, _ headers: HeaderFields = [:]) throws -> ServiceError {
        var error = ServiceError(.status, "refused")
        error.response = try ErrorScene.head(status, headers)
        error.retryAfter = RetryAfter.wait(headers, now: Date())
        return error
    }

    @Test(arguments: [
        (200, "text/event-stream", true, true), (200, "Text/Event-Stream; charset=utf-16", true, true),
        (200, "text/event-stream;", true, true), (200, "x bogus", false, true), (200, "text/x-bogus", false, true),
        (200, "", false, true), (201, "text/event-stream", false, true), (205, "text/event-stream", false, true),
        (299, "text/event-stream", false, true), (302, "text/event-stream", false, false),
        (404, "text/event-stream", false, false), (503, "text/event-stream", false, false),
    ])
    func `the statuses option selects the accepted responses`(
        status: Int, type: String, isStandard: Bool, isLenient: Bool
    ) throws {
        let head = try ErrorScene.head(status, type.isEmpty ? [:] : ["Content-Type": type])
        for (statuses, isAccepted) in [(EventOptions.Statuses.standard, isStandard), (.lenient, isLenient)] {
            let machine = machine { $0.statuses = statuses }
            if isAccepted {
                #expect(try machine.respond(to: head, at: Date()) == .receive)
            } else {
                let error = #expect(throws: ServiceError.self) { try machine.respond(to: head, at: Date()) }
                #expect(error?.code == (status == 200 ? .validation : .status) && error?.status == status)
            }
            #expect(try machine.respond(to: ErrorScene.head(204), at: Date()) == .finish)
        }
    }

    @Test(arguments: [408, 425, 429, 500, 503, 599], [404, 401, 304])
    func `only the lenient statuses connect again after a refusal`(temporary: Int, permanent: Int) throws {
        var standard = machine()
        #expect(throws: ServiceError.self) { try standard.requestFailed(refused(temporary), Machine.Moment()) }
        var lenient = machine { $0.statuses = .lenient }
        let action = try lenient.requestFailed(refused(temporary, ["Retry-After": "90"]), Machine.Moment())
        #expect(action == .wait(.seconds(90)))
        #expect(throws: ServiceError.self) { try lenient.requestFailed(refused(permanent), Machine.Moment()) }
    }

    @Test func `waits grow from the base and have a random part`() throws {
        var machine = machine()
        var waits: [EventSourceMachine.Action] = []
        for _ in 1...6 { waits.append(try machine.requestFailed(Self.lost, Machine.Moment(draw: 1))) }
        #expect(waits == [6, 9, 15, 27, 33, 33].map { .wait(.seconds($0)) })
        machine.receiveEvent()
        #expect(try machine.streamEnded(nil, Machine.Moment(draw: 0)) == .wait(.seconds(3)))
        machine.setRetry(.milliseconds(100))
        #expect(try machine.streamEnded(nil, Machine.Moment(draw: 0.5)) == .wait(.milliseconds(150)))
        machine.setRetry(.zero)
        #expect(try machine.streamEnded(nil, Machine.Moment(draw: 0)) == .wait(.milliseconds(100)))
        machine.setRetry(.milliseconds(Int64.max))
        #expect(try machine.streamEnded(nil, Machine.Moment(draw: 0)) == .wait(.seconds(86_400)))
    }

    @Test func `waits of the caller are limited to two days`() throws {
        for base in [Duration.seconds(Int64.max), .seconds(1.7e20)] {
            var machine = machine { $0.backoff = RetryPolicy.Backoff(base: base, cap: base) }
            #expect(try machine.streamEnded(nil, Machine.Moment(draw: 1)) == .wait(.seconds(2 * 86_400)))
        }
    }

    @Test func `the failure limit counts connections without an event`() throws {
        var machine = machine { $0.failureLimit = 2 }
        for _ in 1...3 {
            for _ in 1...2 {
                machine.connect(isRepeatable: true)
                _ = try machine.streamEnded(nil, Machine.Moment())
            }
            machine.connect(isRepeatable: true)
            machine.receiveEvent()
            for _ in 1...3 { _ = try machine.streamEnded(Self.lost, Machine.Moment()) }
            #expect(machine.failures == 0)
        }
        // Such a connection cannot be part of a fast loop.
        machine.connect(isRepeatable: true)
        for _ in 1...9 { _ = try machine.streamEnded(nil, Machine.Moment(elapsed: .seconds(30))) }
        for _ in 1...2 { _ = try machine.requestFailed(Self.lost, Machine.Moment()) }
        let error = #expect(throws: ServiceError.self) { try machine.streamEnded(nil, Machine.Moment()) }
        #expect(error?.code == .connectionLost && error?.reason.contains("3 times") == true)
        #expect(machine.restart() == .connect && machine.failures == 0)
    }

    @Test(arguments: [
        ServiceError.Code.connection, .connectionLost, .timeout, .circuitOpen, .rateLimited, .tls, .certificate,
        .badResponse, .transport, .redirect, .bodyTooLarge, .decoding, .cancelled, .authorization, .encoding,
    ])
    func `only temporary failures connect again`(code: ServiceError.Code) throws {
        let failure = ServiceError(code, "failed")
        let requestCodes: Set<ServiceError.Code> = [.connection, .connectionLost, .timeout, .circuitOpen, .rateLimited]
        let streamCodes: Set<ServiceError.Code> = [.connection, .connectionLost, .timeout, .badResponse, .transport]
        var request = machine()
        var stream = machine()
        let requestAction = try? request.requestFailed(failure, Machine.Moment())
        #expect((requestAction == .wait(.seconds(3))) == requestCodes.contains(code))
        let streamAction = try? stream.streamEnded(failure, Machine.Moment())
        #expect((streamAction == .wait(.seconds(3))) == streamCodes.contains(code))
    }

    @Test(arguments: [false, true])
    func `a request that must not be sent again ends the source`(isRepeatable: Bool) throws {
        var once = machine(isRepeatable: isRepeatable) { $0.reconnects = !isRepeatable }
        #expect(try once.streamEnded(nil, Machine.Moment()) == .finish)
        #expect(throws: ServiceError.self) { try once.streamEnded(Self.lost, Machine.Moment()) }
        #expect(throws: ServiceError.self) { try once.requestFailed(Self.lost, Machine.Moment()) }
        var truncated = machine(requiresLastEvent: true, isRepeatable: isRepeatable) { $0.reconnects = !isRepeatable }
        let error = #expect(throws: ServiceError.self) { try truncated.streamEnded(nil, Machine.Moment()) }
        #expect(error?.code == .connectionLost)
    }

    @Test func `a wait beyond the deadline is an error`() throws {
        var machine = machine()
        let late = Machine.Moment(remaining: .seconds(3))
        #expect(throws: ServiceError.self) { try machine.streamEnded(Self.lost, late) }
        let error = #expect(throws: ServiceError.self) { try machine.streamEnded(nil, late) }
        #expect(error?.code == .timeout)
        #expect(try machine.streamEnded(nil, Machine.Moment(remaining: .seconds(4))) == .wait(.seconds(3)))
    }
}
