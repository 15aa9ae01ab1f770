import Errand

/// Counts the events of a stream with the identifiers 1, 2, 3 and so on.
struct EventTally: Sendable {
    private(set) var count = 0
    private(set) var duplicates = 0
    private(set) var gaps = 0
    /// The number of events with other data than their identifier requires.
    private(set) var wrong = 0
    private var last = 0

    /// The number of events that are duplicate, missing or wrong.
    var flaws: Int { duplicates + gaps + wrong }

    mutating func add(_ event: ServerSentEvent) {
        count += 1
        let number = Int(event.id) ?? 0
        if event.data != Self.data(number) { wrong += 1 }
        if number <= last { duplicates += 1 } else { gaps += number - last - 1 }
        last = max(last, number)
    }

    /// Notes the end of the stream, which has the given number of events.
    mutating func finish(at number: Int) {
        gaps += max(0, number - last)
    }

    /// Adds the figures of another stream.
    mutating func add(_ other: EventTally) {
        count += other.count
        duplicates += other.duplicates
        gaps += other.gaps
        wrong += other.wrong
    }

    /// The data of an event, as `Tests/event-server.py` sends it.
    private static func data(_ number: Int) -> String {
        #"{"n": \#(number), "text": "\#(String(repeating: "é", count: number % 30))"}"#
    }
}
