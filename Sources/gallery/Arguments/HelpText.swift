extension HelpTopic {
    /// The text of this topic, for 80 columns, made of the same descriptions as the parser.
    package var text: String {
        switch self {
        case .overview: Self.overviewText
        case .fetch: Self.fetchText
        }
    }

    private static var overviewText: String {
        """
        gallery \(Version.text): fetches pictures from an API that speaks Unsplash's language

        Usage:
          gallery fetch [QUERY] [OPTION]...
          gallery help [fetch]
          gallery --version

        With no options at all, gallery fetch needs no key and no network: the program
        serves a small catalogue of its own, and fetches that.

        More: gallery fetch --help

        """
    }

    private static var fetchText: String {
        """
        gallery fetch: fetches pictures into a folder, skipping those already there

        Usage: gallery fetch [QUERY] [OPTION]...

        QUERY is what to search for; without it the newest pictures are fetched.

        Options:
        \(options)

        Environments:
          development  a server inside this program, with a small catalogue; no key,
                       no network (with --base-url: the server at that address)
          staging      the server at --base-url
          production   https://api.unsplash.com, with an access key

        Exit status: 0 all pictures are there; 1 something failed; 64 wrong usage;
        130 interrupted; 141 nobody reads the output. An interrupted run leaves no
        partial picture; a second Ctrl-C ends it at once.

        Examples:
          gallery fetch
          gallery fetch "misty lake" --per-page 5 --size small --output lakes
          gallery fetch --json --quiet | jq -r .file

        """
    }

    private static var options: String {
        let rows =
            FetchOption.all.map { ([$0.name, $0.placeholder].compactMap(\.self).joined(separator: " "), $0.summary) }
            + [("-h, --help", "Print this text"), ("--version", "Print the version")]
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
