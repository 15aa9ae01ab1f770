import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct EventStreamSoakTests {
    @Test func `subscriptions that start and end at random leave nothing at the service`() async throws {
        var options = EventOptions()
        options.failureLimit = .max
        let scene = try StreamScene(options)
        let (rounds, service) = (TestEnvironment.rounds(20, heavy: 500), scene.service)
        let pump = Task { await service.emitUntilCancelled() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    for round in 0..<rounds {
                        let updates = try scene.updates()
                        let expected = 3 + (number + round) % 3
                        let task = Task { try await updates.first(expected) }
                        let isCancelled = (number + round).isMultiple(of: 4)
                        if isCancelled { task.cancel() }
                        switch await task.result {
                        case .success(let found): #expect(found == expected)
                        case .failure(let error as ServiceError) where error.code == .cancelled: #expect(isCancelled)
                        // The clock does not wait, so all attempts may come before the client notices the lost stream.
                        case .failure(let error as ServiceError): #expect(error.status == 404)
                        case .failure(let error): throw error
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        pump.cancel()
        await pump.value
        for _ in 1...100_000 where !service.isIdle { await Task.yield() }
        #expect(service.isIdle, "\(service.log.suffix(10))")
    }
}

extension SingleConnectionService {
    /// Emits updates, and ends the stream from time to time.
    fileprivate func emitUntilCancelled() async {
        var count = 0
        while !Task.isCancelled {
            count += 1
            emitToAll("a")
            if count.isMultiple(of: 50) { drop(URLError(.networkConnectionLost)) }
            await Task.yield()
        }
    }
}

extension GraphQLStreamUpdates {
    /// Reads a number of updates, and leaves the loop.
    fileprivate func first(_ count: Int) async throws(ServiceError) -> Int {
        var found = 0
        for try await _ in self {
            found += 1
            if found == count { break }
        }
        return found
    }
}
