import Errand

/// A console with a progress line below the lines that stay.
///
/// Each change is one write, so that nothing flickers: the line is overwritten, and only its old tail is cleared.
struct Screen {
    private static let clearLine = "\r\u{1B}[K"

    let console: Console
    private let showsProgress: Bool
    private let secret: String?
    private var shown = ""

    /// - Parameters:
    ///   - console: Where lines go.
    ///   - showsProgress: Whether a progress line is wanted, where the console can redraw one.
    ///   - secret: What no line may hold, also where a server repeats it; below six characters it would be any word.
    init(_ console: Console, showsProgress: Bool, hiding secret: Secret? = nil) {
        self.console = console
        self.secret = secret.map { $0.reveal() }.flatMap { $0.count < 6 ? nil : $0 }
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
        let line = masked(text)
        guard line != shown else { return }
        shown = line
        write("\r\(line)\u{1B}[K")
    }

    /// Prints a line of results.
    /// - Throws: ``StreamClosed`` where nobody reads them any longer.
    mutating func print(_ line: String) throws(StreamClosed) {
        clear()
        try console.output.write(masked(line) + "\n")
    }

    /// Prints a line of errors or notes.
    mutating func note(_ line: String) {
        clear()
        write(masked(line) + "\n")
    }

    /// Takes the progress line away.
    mutating func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        write(Self.clearLine)
    }

    private func masked(_ text: String) -> String {
        guard let secret else { return text }
        return text.replacingOccurrences(of: secret, with: Redaction.mask)
    }

    /// What can't be shown is no reason to stop.
    private func write(_ text: String) {
        try? console.error.write(text)
    }
}
