import Errand
import ErrandSupport

extension ConfigurationFile {
    /// The maximum size of the file in bytes: 64 kB.
    private static let sizeLimit = 65_536

    /// Returns the path of the file: below `$XDG_CONFIG_HOME`, by default in `~/.config`. Relative paths are ignored,
    /// as the XDG Base Directory Specification requires.
    package static func path(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map { $0 + "/gallery/config" }
    }

    /// Loads the user's file. Returns `nil` if there is no file.
    ///
    /// - Throws: ``UsageError`` if the file can't be read or contains an invalid setting.
    package static func load(_ environment: [String: String]) throws(UsageError) -> ConfigurationFile? {
        guard let path = path(environment) else { return nil }
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw refusal(path, String(cString: strerror(errno)))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "it is not a regular file") }
        guard facts.st_size <= sizeLimit else { throw refusal(path, "it is larger than \(sizeLimit) bytes") }
        guard let data = FileManager.default.contents(atPath: path) else { throw refusal(path, "permission denied") }
        guard let text = String(validUTF8: data) else { throw refusal(path, "it is not UTF-8") }
        var file = try ConfigurationFile(text, path: path)
        file.isShared = facts.st_mode & (S_IRGRP | S_IROTH) != 0
        file.home = environment["HOME"]
        return file
    }

    private static func refusal(_ path: String, _ reason: String) -> UsageError {
        UsageError("can't read \(path.singleLine()): \(reason)")
    }
}
