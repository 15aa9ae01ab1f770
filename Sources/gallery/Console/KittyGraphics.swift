package import Errand

/// Pictures in a terminal, as kitty, Ghostty, WezTerm and Konsole take them (the terminal graphics protocol of kitty).
package enum KittyGraphics {
    /// The most bytes of base64 in one sequence.
    private static let portion = 4_096

    /// Whether the terminal of this environment says that it speaks the protocol. One inside tmux or screen does not,
    /// whatever the variables say that it has inherited.
    package static func isSpoken(_ environment: [String: String]) -> Bool {
        let kind = environment["TERM", default: ""]
        guard environment["TMUX", default: ""].isEmpty, kind != "dumb" else { return false }
        guard !["screen", "tmux"].contains(where: kind.hasPrefix) else { return false }
        return !environment["KITTY_WINDOW_ID", default: ""].isEmpty || ["xterm-kitty", "xterm-ghostty"].contains(kind)
            || ["ghostty", "kitty", "WezTerm"].contains(environment["TERM_PROGRAM", default: ""])
    }

    /// The sequences that show a PNG where the cursor stands, so many rows high and as wide as its shape wants.
    ///
    /// The terminal is asked not to answer: the answer would look like typed text.
    package static func sequences(png: Data, rows: Int) -> String {
        let text = Array(png.base64EncodedString().utf8)
        var result = ""
        for start in stride(from: 0, to: text.count, by: portion) {
            let rest = text[start...]
            let more = rest.count > portion ? 1 : 0
            let control = start == 0 ? "a=T,f=100,q=2,r=\(rows),m=\(more)" : "q=2,m=\(more)"
            result += "\u{1B}_G\(control);\(String(decoding: rest.prefix(portion), as: UTF8.self))\u{1B}\\"
        }
        return result
    }
}
