/// Escapes server text for HTML.
package enum HTML {
    /// Escapes text for an element or a quoted attribute. Control characters become spaces. Format characters, such as
    /// those that change the text direction, are removed, except the ones that join letters and emoji.
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

    /// Returns the relative URL of a file in the same folder. Percent-encoding keeps it a single path segment without a
    /// scheme.
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
