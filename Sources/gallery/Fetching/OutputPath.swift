import Errand

/// The folder that pictures go into, as files are written and as it is printed: one text for both.
package enum OutputPath {
    /// The path as the user gave it, but one with `..` in it as the folder that the system means by it.
    ///
    /// Foundation takes `link/..` for the folder that holds the link, the system for the one that holds its target.
    package static func resolved(_ path: String) -> String {
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
        return ([String(cString: real)] + rest.filter { !$0.isEmpty }.map(String.init)).joined(separator: "/")
    }
}
