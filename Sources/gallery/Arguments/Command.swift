/// What a command line asks for.
package enum Command: Sendable, Equatable {
    /// Print a help text.
    case help(HelpTopic)
    /// Print the version.
    case version
    /// Fetch pictures.
    case fetch(FetchOptions)
}

/// Which help text is asked for.
package enum HelpTopic: Sendable, Equatable {
    case overview
    case fetch
}
