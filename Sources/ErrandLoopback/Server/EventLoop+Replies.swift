import Foundation

/// Starts responses.
extension EventLoop {
    func begin(_ reply: LoopbackReply, on connection: Connection) {
        if connection.context.version != .http1_0 {
            for interim in reply.interim { connection.outbox.append(ReplyPlan(interim: interim).head) }
        }
        switch reply.course {
        case .response: respond(with: reply, on: connection)
        case .later(let make): wait(for: make, on: connection)
        case .raw(let steps, let ending): send(steps, pace: reply.pace, then: ending, on: connection)
        case .end(let ending): connection.phase = .finishing(.fault(ending))
        case .stall: connection.phase = .stalled
        }
    }

    private func wait(for make: @escaping @Sendable () async -> LoopbackReply, on connection: Connection) {
        connection.phase = .awaiting
        connection.task = Task { [mailbox, number = connection.number] in
            mailbox.post(.reply(await make(), connection: number))
        }
    }

    private func send(
        _ steps: [LoopbackReply.RawStep], pace: LoopbackReply.Pace?, then ending: LoopbackReply.Ending?,
        on connection: Connection
    ) {
        connection.outbox.setPace(pace)
        for step in steps {
            switch step {
            case .bytes(let data): connection.outbox.append(data)
            case .pause(let duration): connection.outbox.appendPause(duration)
            }
        }
        connection.phase = ending.map { .finishing(.fault($0)) } ?? .flushing
    }

    private func respond(with reply: LoopbackReply, on connection: Connection) {
        let plan = ReplyPlan(reply, in: connection.context)
        connection.outbox.setPace(reply.pace)
        if let cut = reply.cut {
            let (limit, overflow) = cut.bytes.addingReportingOverflow(cut.countsFromBody ? plan.head.count : 0)
            connection.outbox.allow(overflow ? .max : limit)
        }
        connection.outbox.append(plan.head)
        let finish = reply.cut.map { .fault($0.ending) } ?? (plan.closes ? Connection.Finish.orderly : nil)
        let following: Connection.Phase =
            finish.map { .finishing($0) } ?? (reply.pace == nil ? .ready : .flushing)
        guard plan.sendsBody, !connection.outbox.isCutOff else {
            connection.phase = following
            return
        }
        switch reply.body {
        case .none: break
        case .data(let data): connection.outbox.append(data)
        case .chunks(let chunks, let trailers): append(chunks, trailers, plan.framing, to: connection)
        case .stream(let stream): return start(stream, plan.framing, then: finish, on: connection)
        }
        connection.phase = following
    }

    private func append(
        _ chunks: [Data], _ trailers: [LoopbackHeader], _ framing: ReplyPlan.Framing, to connection: Connection
    ) {
        for chunk in chunks { connection.outbox.append(chunk, chunked: framing == .chunked) }
        if framing == .chunked { connection.outbox.append([UInt8].lastChunk(trailers: trailers)) }
    }

    private func start(
        _ stream: LoopbackReply.Stream, _ framing: ReplyPlan.Framing, then finish: Connection.Finish?,
        on connection: Connection
    ) {
        let number = connection.number
        let failure: Connection.Finish = finish.flatMap(\.ifFault) ?? .fault(framing == .untilClose ? .reset : .close)
        let pipe = StreamPipe(contentLength: stream.contentLength) { [mailbox] in
            mailbox.post(.stream(connection: number))
        }
        connection.phase = .streaming(
            .init(
                pipe: pipe, isChunked: framing == .chunked, trailers: stream.trailers, following: finish,
                failing: failure))
        connection.task = Task {
            do {
                try await stream.produce(LoopbackWriter(pipe))
                pipe.finish(.finished)
            } catch {
                pipe.finish(.failed)
            }
        }
    }
}

extension Outbox {
    /// Appends part of a body, framed as a chunk if `chunked` is true. Empty data is skipped, because an empty chunk
    /// would end the body.
    mutating func append(_ data: Data, chunked: Bool) {
        guard !data.isEmpty else { return }
        guard chunked else { return append(data) }
        append([UInt8].chunkSize(data.count))
        append(data)
        append([.carriageReturn, .lineFeed])
    }
}
