import ErrandSupport

/// A text, quoted as one word of a POSIX shell (POSIX.1-2024, XCU section 2.2).
///
/// In single quotes, no character is special, including a line break. A single quote is written as `'\''`. Other
/// control characters and invisible characters are printed by `printf` when the command runs, because a terminal would
/// drop or interpret them when they are pasted. NUL is omitted, because an argument cannot contain it.
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
    /// Whether this can be pasted into a terminal unchanged. This is true for a line break and visible characters.
    var isPasteable: Bool { value == 0x0A || !isHidden }
}

extension UInt8 {
    /// Whether this character has no special meaning to a shell, at any position of a word.
    fileprivate var isPlainInShells: Bool { isAlphanumeric || "-._/@".utf8.contains(self) }

    /// The escape sequence for the first argument of `printf`: a backslash and three octal digits.
    fileprivate var octalEscape: String {
        let digits = String(self, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
