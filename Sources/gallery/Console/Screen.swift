/// A console with a progress line below the lines that stay.
///
/// Each change is one write, so that nothing flickers: the line is overwritten, and only its old tail is cleared.
struct Screen {
    private static let clearLine = "\r\u{1B}[K"

    let console: Console
    private let showsProgress: Bool
    private var shown = ""

    init(_ console: Console, showsProgress: Bool) {
        self.console = console
        self.showsProgress = showsProgress && console.redraws
    }

    /// Draws the progress line anew; on a console that can't redraw this does nothing, for there the lines say it all.
    mutating func show(_ progress: Progress) {
        guard showsProgress else { return }
        // The last column stays free: a terminal that wraps there would scroll.
        let line = progress.line(columns: max(1, console.error.columns - 1))
        guard line != shown else { return }
        shown = line
        write("\r\(line)\u{1B}[K")
    }

    /// Prints a line of results.
    /// - Throws: ``StreamClosed`` where nobody reads them any longer.
    mutating func print(_ line: String) throws(StreamClosed) {
        clear()
        try console.output.write(line + "\n")
    }

    /// Prints a line of errors or notes.
    mutating func note(_ line: String) {
        clear()
        write(line + "\n")
    }

    /// Takes the progress line away.
    mutating func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        write(Self.clearLine)
    }

    /// What can't be shown is no reason to stop.
    private func write(_ text: String) {
        try? console.error.write(text)
    }
}
