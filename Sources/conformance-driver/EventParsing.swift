import Errand

/// The `sse-parse` operation of the driver's protocol.
struct EventParsing {
    private let fields: OrderedJSON

    init(_ fields: OrderedJSON) {
        self.fields = fields
    }

    func answer() throws(ServiceError) -> Operation.Answer {
        var parser = EventParser()
        var events: [OrderedJSON] = []
        var retry: Duration?
        for chunk in fields["chunksBase64"]?.elements ?? [] {
            guard let bytes = Data(base64Encoded: chunk.string ?? "") else {
                throw ServiceError(.encoding, "invalid chunksBase64: expected base64")
            }
            parser.append(bytes)
            while let output = try parser.next() {
                switch output {
                case .event(let event): events.append(event.json)
                case .retry(let duration): retry = duration
                case .comment: break
                }
            }
        }
        return [
            ("events", .array(events)), ("retry", retry.map { .number("\(Int64($0 / .milliseconds(1)))") } ?? .null),
            ("lastEventId", .string(parser.lastEventID)),
        ]
    }
}

extension ServerSentEvent {
    /// The event in the driver's protocol.
    var json: OrderedJSON {
        .object([("type", .string(type)), ("data", .string(data)), ("id", .string(id))])
    }
}
