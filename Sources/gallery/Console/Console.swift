/// Where a command prints: results to `output`, errors and progress to `error`.
package struct Console: Sendable {
    package let output: any TextStream
    package let error: any TextStream
    /// Whether escape sequences for bold and red may be used.
    package let usesColour: Bool
    /// Whether a line may be drawn again and again in its place.
    package let redraws: Bool
    /// Whether pictures can be shown among the lines of `output`.
    package let showsPictures: Bool

    /// Makes a console that keeps to the user's environment: `NO_COLOR` (any value but an empty one) and `TERM=dumb`.
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
    /// How a piece of text may be set off.
    enum Emphasis: String {
        case bold = "1", faint = "2", red = "31"
    }

    /// The text, set off where the stream is a terminal that may be coloured.
    func emphasised(_ text: String, _ emphasis: Emphasis, on stream: any TextStream) -> String {
        guard usesColour, stream.isTerminal else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}
