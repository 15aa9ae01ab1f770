import Errand

/// A console with a progress line below the permanent lines.
///
/// Each change is one write. To avoid flicker, a progress line overwrites the previous one and clears only the rest of
/// it. A permanent line is written after clearing, because on some terminals clearing after a full line removes its
/// last character.
struct Screen {
    private static let clearLine = "\r\u{1B}[K"

    let console: Console
    /// Whether the progress line is shown.
    let showsProgress: Bool
    private var shown = ""

    /// - Parameters:
    ///   - console: The console to write to.
    ///   - showsProgress: Whether to show a progress line if the console can redraw it.
    init(_ console: Console, showsProgress: Bool) {
        self.console = console
        self.showsProgress = showsProgress && console.redraws
    }

    /// Redraws the progress line. Does nothing on a console that can't redraw, because the permanent lines are
    /// sufficient there.
    mutating func show(_ progress: Progress) {
        if showsProgress { draw(progress.line(columns: columns)) }
    }

    /// Replaces the progress line by a text.
    mutating func show(_ text: String) {
        if showsProgress { draw(text.fitted(to: columns)) }
    }

    /// The available columns. The last column stays empty, because a terminal that wraps there would scroll.
    var columns: Int { max(1, console.error.columns - 1) }

    private mutating func draw(_ text: String) {
        guard text != shown else { return }
        shown = text
        write("\r\(text)\u{1B}[K")
    }

    /// Prints a line of results.
    /// - Throws: ``StreamClosed`` if the output is closed.
    mutating func print(_ line: String) throws(StreamClosed) {
        if !shown.isEmpty, console.output.isTerminal {
            shown = ""
            try console.output.write("\r\u{1B}[K\(line)\n")
        } else {
            clear()
            try console.output.write(line + "\n")
        }
    }

    /// Prints the escape sequences of a picture.
    /// - Throws: ``StreamClosed`` if the output is closed.
    mutating func print(picture: String) throws(StreamClosed) {
        clear()
        try console.output.write(picture + "\n")
    }

    /// Prints an error or a note.
    mutating func note(_ line: String) {
        write(shown.isEmpty ? line + "\n" : "\r\u{1B}[K\(line)\n")
        shown = ""
    }

    /// Removes the progress line.
    mutating func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        write(Self.clearLine)
    }

    /// Writes to the error stream. Failures are ignored, because they should not stop the run.
    private func write(_ text: String) {
        try? console.error.write(text)
    }
}
