/// The manual page in the language of `man`, made of the same descriptions as the parser.
package enum ManualPage {
    package static var text: String {
        let commands = CommandName.allCases.map(\.description)
        let parts = [
            ".TH GALLERY 1 \"\(Version.date)\" \"gallery \(Version.text)\" \"User Commands\"",
            ".SH NAME\ngallery \\- fetches pictures from an API that speaks Unsplash's language",
            ".SH SYNOPSIS\n" + commands.map { ".B \(escaped($0.usage))" }.joined(separator: "\n.br\n"),
            ".SH DESCRIPTION\n"
                + paragraph(
                    "With no options at all, gallery fetch needs no key and no network: the program serves a small "
                        + "catalogue of its own, and fetches that."),
            commands.map(section).joined(separator: "\n"),
            ".SH ENVIRONMENT\n" + variables.map { ".TP\n.B \(escaped($0))\n\(paragraph($1))" }.joined(separator: "\n"),
            ".SH CONFIGURATION\n" + paragraph(CommandDescription.configuration),
            ".SH ENVIRONMENTS\n" + verbatim(CommandDescription.environments),
            ".SH EXIT STATUS\n" + verbatim(CommandDescription.statuses),
        ]
        return parts.joined(separator: "\n") + "\n"
    }

    private static let variables = [
        (GalleryOption.accessKeyVariable, "The API's access key, where no option gives one."),
        ("XDG_CONFIG_HOME, HOME", "Where the configuration file is looked for."),
        ("NO_COLOR", "No bold and no colours, where it is not empty."),
        ("TERM, TERM_PROGRAM, KITTY_WINDOW_ID", "What the terminal can show."),
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

    /// Lines that no request of the language begins with.
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
