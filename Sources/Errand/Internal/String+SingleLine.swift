extension String {
    /// This text on one line, control characters made visible, cut at a limit: what a server sent must not
    /// forge lines of a log.
    package func singleLine(limit: Int = 1_024) -> String {
        var line = ""
        var count = 0
        for scalar in unicodeScalars {
            guard count < limit else { return line + "…" }
            count += 1
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: line.unicodeScalars.append("\u{FFFD}")
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
