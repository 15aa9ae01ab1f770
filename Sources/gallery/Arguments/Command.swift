/// What a command line asks for.
package enum Command: Sendable, Equatable {
    /// Print a help text.
    case help(HelpTopic)
    /// Print the version.
    case version
    /// Fetch pictures.
    case fetch(GalleryOptions)
    /// List pictures.
    case search(GalleryOptions)
    /// Print what is known of a picture.
    case show(GalleryOptions)
    /// Serve the catalogue.
    case serve(GalleryOptions)
    /// Print the completions for a shell.
    case completions(Shell)
    /// Print the manual page.
    case manual

    /// What the work is to be done with, where there is any.
    package var options: GalleryOptions? {
        switch self {
        case .fetch(let options), .search(let options), .show(let options), .serve(let options): options
        case .help, .version, .completions, .manual: nil
        }
    }
}

/// Which help text is asked for.
package enum HelpTopic: Sendable, Equatable {
    case overview
    case command(CommandName)

    package static let fetch: HelpTopic = .command(.fetch)
}
