import Errand

/// Text and addresses of a server's, as they may stand in a page.
enum HTML {
    /// A text between tags or in a quoted attribute. Controls are blanks; what would change the direction of the text
    /// around it is left out, but not what joins letters and emoji.
    static func text(_ text: String, limit: Int = 2_000) -> String {
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

    /// The address of a web page; nil for anything else, such as a script.
    static func address(_ url: URL, _ mask: KeyMask) -> String? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
        return text(mask.hide(url.absoluteString), limit: 4_000)
    }

    /// A file beside the page. Percent signs keep it one path segment, and no scheme.
    static func file(_ name: String) -> String {
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
