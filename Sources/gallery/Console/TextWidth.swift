extension Character {
    /// The number of columns that a terminal uses for this character: two for East Asian wide characters and emoji,
    /// zero for combining marks.
    ///
    /// This is an estimate, because terminals differ. Lines are one column shorter than the terminal for this reason.
    ///
    /// Spacing marks, as in Indic scripts, are counted, because terminals do not combine them into clusters.
    var columns: Int {
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        let sum = unicodeScalars.reduce(0) { $0 + $1.columns }
        // An emoji may consist of several scalars, but is shown as one.
        return unicodeScalars.first?.properties.isEmoji == true ? min(sum, 2) : sum
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // The vowels and final consonants of a Hangul syllable are combined with its first consonant.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return isWide ? 2 : 1
    }

    /// The blocks with the Unicode property East Asian Width W or F, and emoji with a graphical presentation.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    private var isWide: Bool {
        if value < 0x1100 { return false }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
    }
}

extension String {
    /// The number of columns that a terminal uses for this text.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text, truncated with `…` to a number of columns.
    package func fitted(to limit: Int) -> String {
        guard columns > limit else { return self }
        guard limit > 0 else { return "" }
        var (kept, used) = ("", 0)
        for character in self {
            used += character.columns
            guard used < limit else { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }
}
