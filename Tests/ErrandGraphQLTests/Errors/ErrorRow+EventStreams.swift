import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    /// Subscribes over an event stream. `change` prepares the service, and `react` runs after the operation was sent.
    private static func subscribe(
        bufferLimit: Int = 256, preparing change: (SingleConnectionService) -> Void = { _ in },
        react: @escaping @Sendable (SingleConnectionService) -> Void = { _ in }
    ) async throws -> Any? {
        let scene = try StreamScene(bufferLimit: bufferLimit)
        change(scene.service)
        let service = scene.service
        let reaction = Task {
            _ = await service.log(3)
            react(service)
        }
        defer { reaction.cancel() }
        return try await scene.updates().all()
    }

    /// The loop reads the first of four updates, and the others after the subscription has ended.
    private static func readSlowly() async throws -> Any? {
        let scene = try StreamScene(bufferLimit: 2)
        let service = scene.service
        let first = Task {
            _ = await service.log(3)
            service.emit("a", to: "1")
        }
        var iterator = try scene.updates().makeAsyncIterator()
        _ = try await iterator.next()
        await first.value
        for _ in 1...3 { service.emit("b", to: "1") }
        _ = await service.log(4)
        while try await iterator.next() != nil {}
        return nil
    }

    /// The service does not know the stream of the first subscription when the second one starts.
    private static func loseStream() async throws -> Any? {
        var options = EventOptions()
        options.reconnects = false
        let scene = try StreamScene(options)
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .reply(404, ""))
        let second = try scene.read()
        defer { second.cancel() }
        return try await first.value
    }

    static let eventStreams: [ErrorRow] = [
        ErrorRow(
            .status, "The service does not support the single connection mode.", "Use `subscription(_:options:)`."
        ) {
            try await subscribe(preparing: { $0.fail(.put, .reply(200, "")) })
        },
        ErrorRow(.badResponse, "The service reserved an event stream without a token.", "Report the service.") {
            try await subscribe(preparing: { $0.fail(.put, .reply(201, "")) })
        },
        ErrorRow(.badResponse, "The service did not open the reserved event stream.", "Report the service.") {
            try await subscribe(preparing: { $0.fail(.get, .reply(204, "")) })
        },
        ErrorRow(.decoding, "An event has no ID of an operation.", "Report the service.") {
            try await subscribe(react: { $0.write("event: next\ndata: {}\n\n") })
        },
        ErrorRow(
            .connectionLost, "The service has lost the event stream, and the options do not allow another connection.",
            "Subscribe again, or set `reconnects`."
        ) {
            try await loseStream()
        },
        ErrorRow(.bodyTooLarge, "The loop reads updates too slowly.", "Read faster, or set a larger `bufferLimit`.") {
            try await readSlowly()
        },
    ]
}
