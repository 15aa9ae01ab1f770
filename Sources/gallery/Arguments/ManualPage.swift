/// The manual page in the format of `man`, built from the same descriptions as the parser.
package enum ManualPage {
    package static var text: String {
        let commands = CommandName.allCases.map(\.description)
        let parts = [
            ".TH GALLERY 1 \"\(Version.date)\" \"gallery \(Version.text)\" \"User Commands\"",
            ".SH NAME\ngallery \\- fetches pictures from an Unsplash-compatible API",
            ".SH SYNOPSIS\n" + commands.map { ".B \(escaped($0.usage))" }.joined(separator: "\n.br\n"),
            ".SH DESCRIPTION\n"
                + paragraph(
                    "Without options, gallery fetch requires no key and no network. It fetches the pictures from a "
                        + "small catalogue inside the program."),
            commands.map(section).joined(separator: "\n"),
            ".SH ENVIRONMENT\n" + variables.map { ".TP\n.B \(escaped($0))\n\(paragraph($1))" }.joined(separator: "\n"),
            ".SH CONFIGURATION\n" + paragraph(CommandDescription.configuration),
            ".SH ENVIRONMENTS\n" + verbatim(CommandDescription.environments),
            ".SH EXIT STATUS\n" + verbatim(CommandDescription.statuses),
        ]
        return parts.joined(separator: "\n") + "\n"
    }

    private static let variables = [
        (GalleryOption.accessKeyVariable, "The access key of the API, unless --access-key sets it."),
        ("XDG_CONFIG_HOME, HOME", "The folder of the configuration file."),
        ("XDG_CACHE_HOME, HOME", "The folder of the cache, unless --cache sets it."),
        ("NO_COLOR", "Disables bold text and colours if it is not empty."),
        ("TERM, TERM_PROGRAM, KITTY_WINDOW_ID", "Used to detect the features of the terminal."),
    ]

    private static func section(_ command: CommandDescription) -> String {
        var lines = [".SH \(command.name.rawValue.uppercased())", ".B \(escaped(command.usage))", ".PP"]
        lines.append(paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."))
        if !command.about.isEmpty { lines += [".PP", paragraph(command.about)] }
        for option in command.options {
            lines += [".TP", ".B \(escaped(option.usage))", paragraph(option.summary)]
        }
        if !command.objects.isEmpty { lines += [".PP", verbatim(command.objects)] }
        lines += [".PP", "Examples:"]
        lines.append(verbatim(command.examples.map { "  \($0)" }.joined(separator: "\n")))
        return lines.joined(separator: "\n")
    }

    private static func verbatim(_ text: String) -> String { ".nf\n\(paragraph(text))\n.fi" }

    /// Escapes lines that would otherwise start with a request of the format.
    private static func paragraph(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isRequest = line.hasPrefix(".") || line.hasPrefix("'")
            return (isRequest ? "\\&" : "") + escaped(String(line))
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
