extension HelpTopic {
    /// The text of this topic for 80 columns, built from the same descriptions as the parser.
    package var text: String {
        switch self {
        case .overview: Self.overviewText
        case .command(let name): Self.text(of: name.description)
        }
    }

    private static var overviewText: String {
        let commands = CommandName.allCases.map(\.description)
        let column = (commands.map(\.name.rawValue.count).max() ?? 0) + 4
        let rows = commands.map { row($0.name.rawValue, $0.summary, column: column) }
        return """
            gallery \(Version.text): fetches pictures from an Unsplash-compatible API

            Usage: gallery COMMAND [ARGUMENT] [OPTION]...

            Commands:
            \(rows.joined(separator: "\n"))

            Without options, gallery fetch requires no key and no network. It fetches the
            pictures from a small catalogue inside the program.

            For details: gallery help COMMAND

            """
    }

    private static func text(of command: CommandDescription) -> String {
        let usesAPI = command.options.contains { $0.name == "--environment" }
        let parts = [
            "gallery \(command.name.rawValue): \(command.summary)", "Usage: \(command.usage)", command.about,
            "Options:\n\(options(command))", usesAPI ? CommandDescription.environments : "", command.objects,
            command.options.isEmpty ? "" : "Configuration:\n" + CommandDescription.configuration.indented,
            usesAPI ? CommandDescription.statuses : "",
            "Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func options(_ command: CommandDescription) -> String {
        let rows =
            command.options.map { ($0.short == nil ? "    \($0.usage)" : $0.usage, $0.summary) } + [
                ("-h, --help", "Print this text"), ("    --version", "Print the version"),
            ]
        let column = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.map { row($0.0, $0.1, column: column) }.joined(separator: "\n")
    }

    private static func row(_ name: String, _ summary: String, column: Int) -> String {
        let lines = wrapped(summary, to: 80 - column)
        let indent = String(repeating: " ", count: column)
        let first = "  " + name + String(repeating: " ", count: column - 2 - name.count)
        return first + lines.joined(separator: "\n" + indent)
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }
}

extension String {
    /// The lines, indented by two columns.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}
