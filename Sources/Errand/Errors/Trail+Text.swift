import ErrandSupport

extension Trail.Event {
    /// A one-line description of the event, without secrets.
    public var message: String {
        var parts: [String] = []
        if let attempt { parts.append(attempt.clause) }
        if let metrics, !metrics.clause.isEmpty { parts.append(metrics.clause) }
        if let note { parts.append(note) }
        return masked(parts.joined(separator: "; "))
    }

    /// Masks the secrets of the requests of the API call in a text of this event.
    func masked(_ text: String) -> String { secrets?.masked(text) ?? text }
}

extension Trail.Event: Hashable {
    /// Returns whether two events are equal. Secrets are not compared.
    public static func == (one: Self, other: Self) -> Bool {
        one.moment == other.moment && one.source == other.source && one.attempt == other.attempt
            && one.metrics == other.metrics && one.note == other.note
    }

    /// Hashes values that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(moment)
        hasher.combine(source)
        hasher.combine(attempt)
        hasher.combine(note)
    }
}

extension Trail: CustomStringConvertible {
    /// A line for each event, with its time, its source and its message.
    public var description: String {
        let moments = events.map { $0.moment.milliseconds }
        let width = moments.map(\.count).max() ?? 0
        let names = events.map { "\($0.source)" }
        let nameWidth = names.map(\.count).max() ?? 0
        var lines = zip(events, zip(moments, names)).map { event, columns in
            let (moment, name) = columns
            return moment.padded(before: width) + " ms  " + name.padded(after: nameWidth) + "  " + event.message
        }
        if dropped > 0 { lines.append("and \(dropped) more") }
        return lines.joined(separator: "\n")
    }
}

extension Trail: CustomReflectable {
    /// A mirror that shows the messages of the events.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: events.map(\.message), displayStyle: .collection)
    }
}

extension Trail.Event: CustomReflectable {
    /// A mirror that shows ``message``.
    public var customMirror: Mirror { Mirror(self, children: ["message": message], displayStyle: .struct) }
}

extension Trail.Attempt {
    /// The outcome and the duration of the attempt.
    fileprivate var clause: String {
        let outcome =
            failure.map { "\($0)" } ?? status.map { "\($0) \(reasonPhrase($0))".trimmingSuffix(" ") } ?? "no response"
        return "\(outcome) in \(elapsed.milliseconds) ms"
    }
}

extension TransportMetrics {
    /// The available metrics except the total time, separated by commas.
    fileprivate var clause: String {
        var parts: [String] = []
        if isConnectionReused == true {
            parts.append("on an open connection")
        } else {
            if let nameResolved { parts.append("name \(nameResolved.milliseconds)") }
            if let connected { parts.append("connected \(connected.milliseconds)") }
            if let secured { parts.append("secured \(secured.milliseconds)") }
        }
        if let queued, queued >= .milliseconds(1) { parts.append("queued \(queued.milliseconds)") }
        if let firstByte { parts.append("first byte \(firstByte.milliseconds)") }
        if let bytesReceived { parts.append("\(bytesReceived) bytes") }
        if let protocolName { parts.append(protocolName.singleLine(limit: 16)) }
        return parts.joined(separator: ", ")
    }
}

extension Duration {
    /// This duration in milliseconds with one decimal, such as `12.3`.
    package var milliseconds: String {
        // Clamped so that the number of tenths fits into an `Int64`.
        let tenths = Int64(max(-1e15, min(1e15, (self / .microseconds(100)).rounded())))
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

extension String {
    fileprivate func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
    fileprivate func padded(after width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
