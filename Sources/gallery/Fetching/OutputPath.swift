import Errand

/// The folder that pictures go into, as files are written and as it is printed: one text for both.
package enum OutputPath {
    /// The path as the user gave it, but one with `..` in it as the folder that the system means by it.
    ///
    /// Foundation takes `link/..` for the folder that holds the link, the system for the one that holds its target.
    ///
    /// - Throws: ``UsageError`` if the path depends on a folder whose name is not UTF-8. Foundation would replace the
    ///   bytes, and name another folder.
    package static func resolved(_ path: String) throws(UsageError) -> String {
        if !path.hasPrefix("/"), let current = realpath(".", nil) {
            defer { free(current) }
            guard String(validatingCString: current) != nil else { throw notUTF8 }
        }
        // A shell has put the home folder in where it is meant; Foundation would do it once more.
        if path.hasPrefix("~") { return "./" + path }
        guard path.split(separator: "/").contains("..") else { return path }
        // What is behind the last one may have to be made yet.
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
        "the path of the current folder is not valid UTF-8", hint: "give --output an absolute path that is")
}
