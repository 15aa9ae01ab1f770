import Errand

/// A console with a progress line below the lines that stay.
///
/// Each change is one write. A progress line overwrites what is there and clears only its old tail, so that nothing flickers;
/// a line that stays comes after the clearing, which on some terminals would take the last letter of a full one.
struct Screen {
    private static let clearLine = "\r\u{1B}[K"

    let console: Console
    /// Whether there is a progress line.
    let showsProgress: Bool
    private var shown = ""

    /// - Parameters:
    ///   - console: Where lines go.
    ///   - showsProgress: Whether a progress line is wanted, where the console can redraw one.
    init(_ console: Console, showsProgress: Bool) {
        self.console = console
        self.showsProgress = showsProgress && console.redraws
    }

    /// Draws the progress line anew; on a console that can't redraw this does nothing, for there the lines say it all.
    mutating func show(_ progress: Progress) {
        if showsProgress { draw(progress.line(columns: columns)) }
    }

    /// Draws a text in the place of the progress line.
    mutating func show(_ text: String) {
        if showsProgress { draw(text.fitted(to: columns)) }
    }

    /// The last column stays free: a terminal that wraps there would scroll.
    private var columns: Int { max(1, console.error.columns - 1) }

    private mutating func draw(_ text: String) {
        guard text != shown else { return }
        shown = text
        write("\r\(text)\u{1B}[K")
    }

    /// Prints a line of results.
    /// - Throws: ``StreamClosed`` where nobody reads them any longer.
    mutating func print(_ line: String) throws(StreamClosed) {
        if !shown.isEmpty, console.output.isTerminal {
            shown = ""
            try console.output.write("\r\u{1B}[K\(line)\n")
        } else {
            clear()
            try console.output.write(line + "\n")
        }
    }

    /// Prints a picture, as the sequences that the terminal takes it in.
    /// - Throws: ``StreamClosed`` where nobody reads them any longer.
    mutating func print(picture: String) throws(StreamClosed) {
        clear()
        try console.output.write(picture + "\n")
    }

    /// Prints a line of errors or notes.
    mutating func note(_ line: String) {
        write(shown.isEmpty ? line + "\n" : "\r\u{1B}[K\(line)\n")
        shown = ""
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
