/// The output streams of a command: results go to `output`, errors and progress to `error`.
package struct Console: Sendable {
    package let output: any TextStream
    package let error: any TextStream
    /// Whether escape sequences for bold and colours are allowed.
    package let usesColour: Bool
    /// Whether a line can be redrawn.
    package let redraws: Bool
    /// Whether `output` can show pictures.
    package let showsPictures: Bool

    /// Creates a console that respects the environment variables `NO_COLOR` (if it is not empty) and `TERM=dumb`.
    package init(output: any TextStream, error: any TextStream, environment: [String: String]) {
        self.output = output
        self.error = error
        let isSmart = environment["TERM"] != "dumb"
        redraws = isSmart && error.isTerminal
        showsPictures = output.isTerminal && KittyGraphics.isSpoken(environment)
        usesColour = isSmart && environment["NO_COLOR", default: ""].isEmpty
    }
}

extension Console {
    /// The emphasis of a text.
    enum Emphasis: String {
        case bold = "1", faint = "2", red = "31"
    }

    /// Returns the text with emphasis if the stream is a terminal and escape sequences are allowed.
    func emphasised(_ text: String, _ emphasis: Emphasis, on stream: any TextStream) -> String {
        guard usesColour, stream.isTerminal else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}
