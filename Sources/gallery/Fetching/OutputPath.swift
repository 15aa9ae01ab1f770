import Errand

/// The folder that pictures go into, as files are written and as it is printed: one text for both.
package enum OutputPath {
    /// The path as the user gave it, but one with `..` in it as the folder that the system means by it.
    ///
    /// Foundation takes `link/..` for the folder that holds the link, the system for the one that holds its target.
    package static func resolved(_ path: String) -> String {
        guard path.split(separator: "/").contains("..") else { return path }
        guard let real = realpath(path, nil) else {
            return URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        }
        defer { free(real) }
        return String(cString: real)
    }
}
