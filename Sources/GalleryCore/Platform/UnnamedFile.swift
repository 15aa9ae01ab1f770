import Errand

/// A file that has no name until it is whole: of a run that is killed nothing is left, and the folder is changed once for each
/// file, not three times, while others wait for it.
enum UnnamedFile {
    #if os(Linux)
        /// `O_TMPFILE` of open(2), a macro that Swift does not see.
        private static let flag: Int32 = 0o20_000_000 | O_DIRECTORY

        /// A descriptor to write to; nil where the folder's file system has no such files, or anything else is wrong.
        static func open(in folder: String) -> Int32? {
            let descriptor = Foundation.open(folder, flag | O_WRONLY | O_CLOEXEC, 0o666)
            return descriptor < 0 ? nil : descriptor
        }

        /// Gives the file its name; false where that is taken, or can't be given.
        static func name(_ descriptor: Int32, _ path: String) -> Bool {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
        }
    #else
        static func open(in folder: String) -> Int32? { nil }

        static func name(_ descriptor: Int32, _ path: String) -> Bool { false }
    #endif
}
