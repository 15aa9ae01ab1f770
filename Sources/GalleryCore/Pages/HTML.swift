/// Encodes text of a server for a page.
package enum HTML {
    /// A text between tags or in a quoted attribute. Controls are blanks; what would change the direction of the text
    /// around it is left out, but not what joins letters and emoji.
    package static func text(_ text: String, limit: Int = 2_000) -> String {
        let scalars = text.unicodeScalars
        let page = scalars.prefix(limit).reduce(into: "") { page, scalar in
            switch scalar {
            case "&": page += "&amp;"
            case "<": page += "&lt;"
            case ">": page += "&gt;"
            case "\"": page += "&quot;"
            case "'": page += "&#39;"
            case "\u{200C}", "\u{200D}": page.unicodeScalars.append(scalar)
            default:
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: page += " "
                case .format: break
                default: page.unicodeScalars.append(scalar)
                }
            }
        }
        return scalars.dropFirst(limit).isEmpty ? page : page + "…"
    }

    /// A file beside the page. Percent signs keep it one path segment, and no scheme.
    package static func file(_ name: String) -> String {
        name.utf8.reduce(into: "./") { path, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~".unicodeScalars.contains(scalar) {
                path.unicodeScalars.append(scalar)
            } else {
                path += byte < 16 ? "%0" : "%"
                path += String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
