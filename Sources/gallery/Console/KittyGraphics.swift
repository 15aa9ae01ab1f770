package import Errand

/// Pictures in a terminal with kitty's terminal graphics protocol, as supported by kitty, Ghostty, WezTerm and Konsole.
package enum KittyGraphics {
    /// The maximum number of base64 bytes in one sequence.
    private static let portion = 4_096

    /// Whether the environment variables indicate a terminal that supports the protocol. tmux and screen do not support
    /// it, even if they inherit such variables.
    package static func isSpoken(_ environment: [String: String]) -> Bool {
        let kind = environment["TERM", default: ""]
        guard environment["TMUX", default: ""].isEmpty, kind != "dumb" else { return false }
        guard !["screen", "tmux"].contains(where: kind.hasPrefix) else { return false }
        return !environment["KITTY_WINDOW_ID", default: ""].isEmpty || ["xterm-kitty", "xterm-ghostty"].contains(kind)
            || ["ghostty", "kitty", "WezTerm"].contains(environment["TERM_PROGRAM", default: ""])
    }

    /// Returns the sequences that show a PNG at the cursor. Its height is `rows`, and its width keeps the aspect ratio.
    ///
    /// The sequences suppress the terminal's response, which would appear as typed text.
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
