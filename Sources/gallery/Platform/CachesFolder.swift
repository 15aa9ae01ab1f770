/// The folder of a user for the caches of all programs.
package enum CachesFolder {
    /// Returns the folder of this platform, or `nil` if the environment variables do not determine it.
    static func path(_ environment: [String: String]) -> String? {
        #if canImport(Darwin)
            apple(environment)
        #else
            xdg(environment)
        #endif
    }

    /// Returns `$XDG_CACHE_HOME`, by default `~/.cache`. Relative paths are ignored, as the XDG Base Directory
    /// Specification requires.
    package static func xdg(_ environment: [String: String]) -> String? {
        absolute("XDG_CACHE_HOME", environment) ?? absolute("HOME", environment).map { $0 + "/.cache" }
    }

    /// Returns the caches directory of Apple's platforms. It is not taken from the system, so that a test can select
    /// another home folder.
    package static func apple(_ environment: [String: String]) -> String? {
        absolute("HOME", environment).map { $0 + "/Library/Caches" }
    }

    private static func absolute(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
