/// What the program can do.
package enum CommandName: String, Sendable, CaseIterable {
    case fetch, search, show, serve, completions, manual
}

/// A command as people see it: what the parser, the help, the manual and the completions are made of.
struct CommandDescription: Sendable {
    /// The one word that a command takes besides options.
    struct Operand: Sendable {
        /// What stands for it in the help text.
        let placeholder: String
        var isRequired = true
        /// What to write where it is missing, or blank.
        let hint: String
        /// What it can be, where that is a choice.
        var choices: [String] = []
    }

    let name: CommandName
    var operand: Operand?
    /// What it does, in one line without a stop.
    let summary: String
    /// What else is to be known, in lines of at most 80 columns.
    var about = ""
    var options: [GalleryOption] = []
    /// What a line of `--json` is, in lines of at most 80 columns.
    var objects = ""
    var examples: [String] = []

    /// How it is written: `gallery fetch [QUERY] [OPTION]...`.
    var usage: String {
        let word = operand.map { $0.isRequired ? $0.placeholder : "[\($0.placeholder)]" }
        let parts = ["gallery", name.rawValue, word, options.isEmpty ? nil : "[OPTION]..."]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension CommandName {
    var description: CommandDescription {
        switch self {
        case .fetch: .fetch
        case .search: .search
        case .show: .show
        case .serve: .serve
        case .completions: .completions
        case .manual: .manual
        }
    }
}

extension CommandDescription {
    static let environments = """
        Environments:
          development  a server inside this program, with a small catalogue; no key,
                       no network (with --base-url: the server at that address)
          staging      the server at --base-url
          production   https://api.unsplash.com, with an access key
        """

    static let configuration = """
        What the command line leaves out comes from the environment (the key, from
        UNSPLASH_ACCESS_KEY), then from the configuration file, or is the default. A
        key that is not on the command line is for production alone. The file is
        $XDG_CONFIG_HOME/gallery/config, else ~/.config/gallery/config; a line is
        NAME = VALUE, with a long option's name without its dashes, or a comment
        behind #. A flag is yes or no there; --no-NAME takes it back. Keep a file with
        an access-key to yourself (chmod 600).
        """

    static let statuses = """
        Exit status: 0 all pictures are there; 1 something failed; 64 wrong usage;
        130 interrupted; 141 nobody reads the output. An interrupted run leaves no
        partial picture; a second Ctrl-C ends it at once.
        """

    fileprivate static let fetch = CommandDescription(
        name: .fetch,
        operand: Operand(
            placeholder: "QUERY", isRequired: false, hint: "leave it out to list the newest pictures"),
        summary: "fetches pictures into a folder, skipping those already there",
        about: "QUERY is what to search for; without it the newest pictures are fetched.",
        options: GalleryOption.paging + GalleryOption.files + GalleryOption.place + [GalleryOption.concurrency]
            + GalleryOption.output,
        objects: """
            With --json a line is an object for each picture, with these members:
              id            as the API has it
              title, photographer
              file          its path; null where there is none
              status        "fetched", "present" or "failed"
              bytes         the file's size; 0 where there is none
              error         why it failed; only there where it did
            Members may be added; none is taken away, and none changes its meaning.
            """,
        examples: [
            "gallery fetch", #"gallery fetch "misty lake" --per-page 5 --size small -o lakes"#,
            "gallery fetch --html --preview", "gallery fetch --json -q | jq -r .file",
        ])

    fileprivate static let search = CommandDescription(
        name: .search, operand: Operand(placeholder: "QUERY", hint: "gallery search QUERY"),
        summary: "lists the pictures that match a text, and downloads nothing",
        about: """
            A line is a picture: its identifier, width and height, who took it, and its
            title. In a terminal lines are cut to its width.
            """,
        options: GalleryOption.paging + GalleryOption.place + GalleryOption.output,
        objects: """
            With --json a line is an object for each picture: id, title, photographer,
            width, height, and address, which is its web page.
            """,
        examples: [#"gallery search "misty lake""#, "gallery search lake --json | jq -r .id"])

    fileprivate static let show = CommandDescription(
        name: .show, operand: Operand(placeholder: "ID", hint: "gallery show ID, as gallery search prints it"),
        summary: "prints all that is known of one picture",
        about: """
            People, place, camera, links and licence: what the API leaves out has no line.
            In the development environment, the links lead to the server that gallery serve
            starts, and work while it runs.
            """,
        options: GalleryOption.place + GalleryOption.output,
        objects: "With --json it is one object on one line, with the members of the API's own.",
        examples: [
            "gallery show EyicAb3Gfxl", "gallery show EyicAb3Gfxl --json | jq .exif",
            "gallery serve & gallery show EyicAb3Gfxl",
        ])

    fileprivate static let serve = CommandDescription(
        name: .serve, summary: "serves the bundled catalogue, for trying other clients",
        about: """
            It listens on 127.0.0.1 only, until Ctrl-C. On its usual port, it answers the
            links that gallery show and gallery search print in the development environment.
            """,
        options: [GalleryOption.port, GalleryOption.requiredKey],
        examples: ["gallery serve --port 8080", "curl http://127.0.0.1:8080/photos"])

    fileprivate static let completions = CommandDescription(
        name: .completions,
        operand: Operand(
            placeholder: "SHELL", hint: "bash, zsh or fish", choices: Shell.allCases.map(\.rawValue)),
        summary: "prints what a shell needs to complete commands and options",
        about: "SHELL is bash, zsh or fish.",
        examples: [
            "source <(gallery completions bash)", "gallery completions zsh > ~/.zfunc/_gallery",
            "gallery completions fish > ~/.config/fish/completions/gallery.fish",
        ])

    fileprivate static let manual = CommandDescription(
        name: .manual, summary: "prints the manual page", examples: ["gallery manual | man -l -"])
}

/// A shell that completions are printed for.
package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}
