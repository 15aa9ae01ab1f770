/// A parsed command line.
package enum Command: Sendable, Equatable {
    /// Print a help text.
    case help(HelpTopic)
    /// Print the version.
    case version
    /// Fetch pictures.
    case fetch(GalleryOptions)
    /// List pictures.
    case search(GalleryOptions)
    /// Print the details of a picture.
    case show(GalleryOptions)
    /// Upload pictures.
    case upload(GalleryOptions)
    /// Serve the catalogue.
    case serve(GalleryOptions)
    /// Print or change the contents of the cache.
    case cache(CacheAction, GalleryOptions)
    /// Print the completions for a shell.
    case completions(Shell)
    /// Print the manual page.
    case manual

    /// The options of the command, or `nil` for a command without options.
    package var options: GalleryOptions? {
        switch self {
        case .fetch(let options), .search(let options), .show(let options), .upload(let options), .serve(let options),
            .cache(_, let options):
            options
        case .help, .version, .completions, .manual: nil
        }
    }
}

/// The topic of a help text.
package enum HelpTopic: Sendable, Equatable {
    case overview
    case command(CommandName)

    package static let fetch: HelpTopic = .command(.fetch)
}

/// An action of `gallery cache`.
package enum CacheAction: String, Sendable, CaseIterable {
    /// Print the folder, the number of entries and the size.
    case info
    /// Remove all entries.
    case clear
}
