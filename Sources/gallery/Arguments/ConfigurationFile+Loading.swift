import Errand
import ErrandSupport

extension ConfigurationFile {
    /// The most bytes of a file: 64 kB.
    private static let sizeLimit = 65_536

    /// Where the file is looked for: below `$XDG_CONFIG_HOME`, else in `~/.config`. A relative path counts as none, as
    /// the XDG Base Directory Specification has it.
    package static func path(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map { $0 + "/gallery/config" }
    }

    /// Reads the user's file; nil where there is none.
    ///
    /// - Throws: ``UsageError`` where it can't be read, or holds what is no setting.
    package static func load(_ environment: [String: String]) throws(UsageError) -> ConfigurationFile? {
        guard let path = path(environment) else { return nil }
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw refusal(path, String(cString: strerror(errno)))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "it is no file") }
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
