package import ErrandSupport

/// Finds a name for a new file in a folder that may contain other files.
package enum FreeFileName {
    /// The maximum number of names to try: 9,999.
    package static let limit = 9_999

    /// Tries `name.ext`, `name (2).ext`, `name (3).ext` and so on until a file is created.
    ///
    /// No name is checked in advance. Another process could take it before the file is created.
    /// - Parameters:
    ///   - name: The preferred name.
    ///   - folder: The folder of the new file.
    ///   - create: Creates the file only if it does not exist, for example with link(2), or open(2) with `O_EXCL`.
    ///     Returns `false` if the name is taken, which is also the case for a folder and a symbolic link.
    /// - Returns: The URL of the created file, or `nil` if all names are taken.
    /// - Throws: The error of `create`.
    package static func create<Failure: Error>(
        _ name: SafeFileName, in folder: URL, _ create: (URL) throws(Failure) -> Bool
    ) throws(Failure) -> URL? {
        for number in 1...limit {
            let candidate = number == 1 ? name.description : name.numbered(number)
            let url = folder.appending(path: candidate, directoryHint: .notDirectory)
            if try create(url) { return url }
        }
        return nil
    }
}
