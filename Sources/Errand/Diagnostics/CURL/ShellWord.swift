/// A text as one word of a POSIX shell (POSIX.1-2024, XCU section 2.2), which no shell reads as anything else.
///
/// In single quotes nothing is special, not even a line break; a quote itself is written as `'\''`. Other control
/// characters don't survive being pasted into a terminal, and could drive it: they are made by `printf` when the command
/// runs. A NUL can't be in any argument, and is left out.
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
    /// Whether this survives being pasted, and is seen for what it is: a line break is, other control characters are not,
    /// nor is what turns the direction of the text around it.
    var isPasteable: Bool {
        switch value {
        case 0x0A: true
        case 0x00...0x1F, 0x7F...0x9F: false
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: false
        default: true
        }
    }
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
