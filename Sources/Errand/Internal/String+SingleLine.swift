extension String {
    /// This text on one line, control characters made visible, cut at a limit: what a server sent must not
    /// forge lines of a log.
    package func singleLine(limit: Int = 1_024) -> String {
        // Most texts are of this kind, and to look each letter up takes long.
        if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        var line = ""
        var count = 0
        for scalar in unicodeScalars {
            guard count < limit else { return line + "…" }
            count += 1
            switch scalar.properties.generalCategory {
            // They join letters and pictures, or keep them apart, and do nothing else.
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}": line.unicodeScalars.append(scalar)
            case .control, .lineSeparator, .paragraphSeparator, .format: line.unicodeScalars.append("\u{FFFD}")
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
