import Errand

/// The path of the output folder. The same text is used to write and to print.
package enum OutputPath {
    /// Returns the path as given. A path with `..` is resolved in the same way as by the system.
    ///
    /// For `link/..`, Foundation uses the folder that contains the link, and the system uses the folder that contains
    /// its target.
    ///
    /// - Throws: ``UsageError`` if the path depends on a folder with a name that is not UTF-8. Foundation would replace
    ///   the bytes, and the path would refer to another folder.
    package static func resolved(_ path: String) throws(UsageError) -> String {
        if !path.hasPrefix("/"), let current = realpath(".", nil) {
            defer { free(current) }
            guard String(validatingCString: current) != nil else { throw notUTF8 }
        }
        // The shell has already expanded `~`. Foundation would expand it again.
        if path.hasPrefix("~") { return "./" + path }
        guard path.split(separator: "/").contains("..") else { return path }
        // The part after the last `..` may not exist yet.
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        var rest: [Substring] = []
        while let last = parts.last, last != ".." { rest.insert(parts.removeLast(), at: 0) }
        guard let real = realpath(parts.joined(separator: "/"), nil) else {
            return URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        }
        defer { free(real) }
        guard let folder = String(validatingCString: real) else { throw notUTF8 }
        return ([folder] + rest.filter { !$0.isEmpty }.map(String.init)).joined(separator: "/")
    }

    private static let notUTF8 = UsageError(
        "the path of the current folder is not valid UTF-8", hint: "use an absolute path for --output")
}
