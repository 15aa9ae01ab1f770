import Errand
import ErrandSupport
import gallery

/// A stream that records its text. It can close after a number of lines, like `head`.
final class RecordedStream: TextStream {
    let isTerminal: Bool
    let columns: Int
    private let capacity: Int
    private let written = Locked("")

    init(isTerminal: Bool = false, columns: Int = 80, linesBeforeClosing capacity: Int = .max) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.capacity = capacity
    }

    var text: String { written.withLock { $0 } }
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

    func write(_ text: String) throws(StreamClosed) {
        let fits = written.withLock { written in
            guard capacity == .max || written.split(separator: "\n").count < capacity else { return false }
            written += text
            return true
        }
        if !fits { throw StreamClosed() }
    }
}

extension Console {
    /// Returns a console with recorded streams.
    static func recording(
        _ output: RecordedStream, _ error: RecordedStream = RecordedStream(), environment: [String: String] = [:]
    ) -> Console {
        Console(output: output, error: error, environment: environment)
    }
}
