import ErrandSupport

/// A text as one word of a POSIX shell (POSIX.1-2024, XCU section 2.2), which no shell reads as anything else.
///
/// In single quotes nothing is special, not even a line break. A quote itself is written as `'\''`. `printf` makes other
/// control characters, and invisible ones, when the command runs: pasted, they would get lost or drive the terminal. A NUL
/// can't be in any argument and is left out.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        guard text.isEmpty || !text.utf8.allSatisfy(\.isPlainInShells) else {
            description = text
            return
        }
        var word = ""
        var plain = ""
        var control: [UInt8] = []
        func finishPlain() {
            if !plain.isEmpty { word += "'" + plain.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
            plain = ""
        }
        func finishControl() {
            if !control.isEmpty { word += #""$(printf '"# + control.map(\.octalEscape).joined() + #"')""# }
            control = []
        }
        for scalar in text.unicodeScalars where scalar != "\0" {
            if scalar.isPasteable {
                finishControl()
                plain.unicodeScalars.append(scalar)
            } else {
                finishPlain()
                control += Array(String(scalar).utf8)
            }
        }
        finishPlain()
        finishControl()
        description = word.isEmpty ? "''" : word
    }
}

extension Unicode.Scalar {
    /// Whether this can be pasted into a terminal unchanged: a line break or a visible character.
    var isPasteable: Bool { value == 0x0A || !isHidden }
}

extension UInt8 {
    /// Whether no shell sees more in this than itself, wherever in a word it stands.
    fileprivate var isPlainInShells: Bool { isAlphanumeric || "-._/@".utf8.contains(self) }

    /// As `printf` reads it in its first argument: three octal digits.
    fileprivate var octalEscape: String {
        let digits = String(self, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
