/// The name of a command.
package enum CommandName: String, Sendable, CaseIterable {
    case fetch, search, show, upload, serve, cache, completions, manual
}

/// The description of a command, from which the parser, the help, the manual and the completions are built.
struct CommandDescription: Sendable {
    /// The operand of a command.
    struct Operand: Sendable {
        /// The placeholder in the help text.
        let placeholder: String
        var isRequired = true
        /// Whether the operand is a file, and may be repeated.
        var isFiles = false
        /// The hint to print if the operand is missing or blank.
        let hint: String
        /// The valid values. Empty if any text is valid.
        var choices: [String] = []
    }

    let name: CommandName
    var operand: Operand?
    /// A summary in one line, without a full stop.
    let summary: String
    /// A description in lines of at most 80 columns.
    var about = ""
    var options: [GalleryOption] = []
    /// A description of the `--json` output in lines of at most 80 columns.
    var objects = ""
    var examples: [String] = []

    /// The usage line, such as `gallery fetch [QUERY] [OPTION]...`.
    var usage: String {
        let word = operand.map { operand in
            let text = operand.placeholder + (operand.isFiles ? "..." : "")
            return operand.isRequired ? text : "[\(text)]"
        }
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
        case .upload: .upload
        case .serve: .serve
        case .cache: .cache
        case .completions: .completions
        case .manual: .manual
        }
    }
}

extension CommandDescription {
    static let environments = """
        Environments:
          development  a server inside this program with a small catalogue, without a
                       key or a network (with --base-url: the server at that URL)
          staging      the server at --base-url
          production   https://api.unsplash.com, which requires an access key
        """

    static let configuration = """
        Options are read from the command line, then from the environment (the access
        key, from UNSPLASH_ACCESS_KEY), then from the configuration file. A key that
        is not on the command line is used only for production. The password for the
        server of --shared is read only from GALLERY_SHARED_PASSWORD. The file is
        $XDG_CONFIG_HOME/gallery/config, by default ~/.config/gallery/config. Each
        line is NAME = VALUE, with the name of a long option without its dashes, or a
        comment that begins with #. The value of a flag is yes or no. The option
        --no-NAME overrides a flag of the file. If the file contains an access-key,
        make it readable only by you (chmod 600).
        """

    static let statuses = """
        Exit status:
          0    success, all pictures are complete
          1    at least one failure
          64   invalid usage
          130  interrupted (a second Ctrl-C ends the program immediately)
          141  the reader of the output is gone
        """

    fileprivate static let fetch = CommandDescription(
        name: .fetch,
        operand: Operand(
            placeholder: "QUERY", isRequired: false, hint: "omit it to list the newest pictures"),
        summary: "fetches pictures into a folder, skipping those already there",
        about: """
            QUERY is the search text. Without it, the newest pictures are fetched. After an
            interruption, the same command continues with the missing pictures.
            """,
        options: GalleryOption.paging + GalleryOption.files + GalleryOption.api + [GalleryOption.concurrency]
            + GalleryOption.limit + GalleryOption.cache + GalleryOption.output,
        objects: """
            With --json, each picture is a JSON object on one line with these members:
              id            the identifier in the API
              title, photographer
              file          the path of the file, or null without a file
              status        "fetched", "present" or "failed"
              bytes         the size of the file, or 0 without a file
              error         the reason for the failure, absent without a failure
            New members may be added. Existing members are stable.
            """,
        examples: [
            "gallery fetch", #"gallery fetch "misty lake" --per-page 5 --size small -o lakes"#,
            "gallery fetch --html --preview", "gallery fetch --json -q | jq -r .file",
        ])

    fileprivate static let search = CommandDescription(
        name: .search, operand: Operand(placeholder: "QUERY", hint: "gallery search QUERY"),
        summary: "lists the pictures that match a text, and downloads nothing",
        about: """
            Each line is a picture: identifier, width and height, photographer and title.
            In a terminal, lines are truncated to its width.
            """,
        options: GalleryOption.paging + GalleryOption.api + GalleryOption.cache + GalleryOption.output,
        objects: """
            With --json, each picture is a JSON object on one line: id, title,
            photographer, width, height, and address, the URL of its web page.
            """,
        examples: [#"gallery search "misty lake""#, "gallery search lake --json | jq -r .id"])

    fileprivate static let show = CommandDescription(
        name: .show, operand: Operand(placeholder: "ID", hint: "gallery show ID, as gallery search prints it"),
        summary: "prints the details of a picture",
        about: """
            The details include people, location, camera, links and licence. Details that
            the API does not return are omitted. In the development environment, the links
            lead to the server that gallery serve starts, and work while it runs.
            """,
        options: GalleryOption.api + GalleryOption.cache + GalleryOption.output,
        objects: "With --json, the output is one JSON object on one line, as in the API.",
        examples: [
            "gallery show EyicAb3Gfxl", "gallery show EyicAb3Gfxl --json | jq .exif",
            "gallery serve & gallery show EyicAb3Gfxl",
        ])

    fileprivate static let upload = CommandDescription(
        name: .upload,
        operand: Operand(placeholder: "FILE", isFiles: true, hint: "gallery upload FILE..."),
        summary: "uploads pictures to the server of gallery serve",
        about: """
            Each FILE is a PNG, JPEG, WebP, GIF or AVIF picture of at most 20 MB. All files
            are checked before the first is sent. If one is invalid, nothing is uploaded.
            Uploads require the environment development, because the Unsplash API does not
            support them. Without --base-url, the command starts its own server, and the
            pictures are removed when it ends. The server keeps at most 20 pictures and
            64 MB, and removes the oldest ones.
            """,
        options: [GalleryOption.description] + GalleryOption.api + GalleryOption.cache + GalleryOption.output,
        objects: """
            With --json, each file is a JSON object on one line with these members:
              file          the path of the file
              status        "uploaded" or "failed"
              bytes         the size of the file, or 0 if it can't be read
              id            the identifier of the picture, or null if the upload failed
              address       the URL of its web page, or null if it is not served
              error         the reason for the failure, absent without a failure
            New members may be added. Existing members are stable.
            """,
        examples: [
            "gallery upload lake.png", "gallery serve &",
            #"gallery upload *.jpg --description Lakes --base-url http://127.0.0.1:8080"#,
        ])

    fileprivate static let serve = CommandDescription(
        name: .serve, summary: "serves the bundled catalogue to other clients",
        about: """
            The server listens only on 127.0.0.1, until Ctrl-C. On the default port, it
            serves the links that gallery show and gallery search print in the development
            environment. It keeps the pictures of gallery upload until it ends.
            """,
        options: [GalleryOption.port, GalleryOption.requiredKey],
        examples: ["gallery serve --port 8080", "curl http://127.0.0.1:8080/photos"])

    fileprivate static let cache = CommandDescription(
        name: .cache,
        operand: Operand(
            placeholder: "ACTION", hint: CacheAction.allCases.map(\.rawValue).alternatives,
            choices: CacheAction.allCases.map(\.rawValue)),
        summary: "shows the size of the cache of lists and photos, or clears it",
        about: """
            ACTION is info, which prints the folder, the number of entries and the size, or
            clear, which removes all entries. The other commands store lists and photos
            there if the server allows it, and never store pictures. With --explain, they
            print the use of the cache for each request.
            """,
        options: [GalleryOption.cacheFolder, GalleryOption.json],
        objects: """
            With --json, the output is one JSON object on one line: folder, entries, bytes
            and capacity. After clear, entries and bytes are those that were removed.
            """,
        examples: ["gallery cache info", "gallery cache clear --cache ~/lakes/cache"])

    fileprivate static let completions = CommandDescription(
        name: .completions,
        operand: Operand(
            placeholder: "SHELL", hint: "bash, zsh or fish", choices: Shell.allCases.map(\.rawValue)),
        summary: "prints the completion script of a shell",
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
