extension String {
    /// Returns this text on one line, without hidden characters. Text of a server must not forge log lines or control a
    /// terminal.
    ///
    /// Hidden characters (``Swift/Unicode/Scalar/isHidden``) are escaped as `\u{202E}`. Joiners and variation selectors
    /// are preserved at valid positions: between the parts of an emoji or of a non-Latin word.
    /// - Parameter limit: The maximum number of Unicode scalars of the result. A longer text ends with `…`.
    /// - Returns: The text that is safe to print.
    package func singleLine(limit: Int = 1_024) -> String {
        // Most texts are printable ASCII. Looking up properties of each scalar is slow.
        if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        var line = ""
        var count = 0
        var previous: Unicode.Scalar?
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let isShown = !scalar.isHidden || scalar.joins(previous, rest.first)
            let piece = isShown ? String(scalar) : scalar.escape
            count += isShown ? 1 : piece.utf8.count
            guard count <= limit else { return line + "…" }
            line += piece
            previous = isShown ? scalar : nil
        }
        return line
    }
}

extension Unicode.Scalar {
    /// Whether this is invisible or changes how the text around it is displayed: control and format characters (which
    /// include bidirectional controls), line and paragraph separators, and default-ignorable characters.
    package var isHidden: Bool {
        if (0x20...0x7E).contains(value) { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The escape in Swift's notation: `\u{202E}`.
    fileprivate var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

    /// Whether this is a joiner or a variation selector at a valid position. Elsewhere, and in runs, they can hide
    /// data.
    fileprivate func joins(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        if isVariationSelector { return !previous.isHidden && !previous.properties.isWhitespace }
        guard value == 0x200C || value == 0x200D, let next else { return false }
        return !previous.isASCII && (!previous.isHidden || previous.isVariationSelector) && !next.isASCII
            && !next.isHidden
    }

    private var isVariationSelector: Bool { (0xFE00...0xFE0F).contains(value) }
}
