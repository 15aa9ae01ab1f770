import Errand

/// A file without a name until it is complete. A killed run leaves no partial file, and each file changes the folder
/// once instead of three times. Concurrent changes of a folder wait for each other.
enum UnnamedFile {
    #if os(Linux)
        /// `O_TMPFILE` of open(2), which Swift does not import. One of its bits is the same on every architecture, and
        /// `O_DIRECTORY` is not.
        private static let flags: Int32 = 0o20_000_000 | O_DIRECTORY

        /// `AT_EMPTY_PATH` of linkat(2), which Swift does not import either.
        private static let emptyPath: Int32 = 0x1000

        /// Whether an unnamed file in the folder can be named, and then has the same permissions as other new files.
        /// The check creates files with an unused name. Before Linux 6.10, naming requires /proc. Before 6.0, the umask
        /// may be ignored.
        static func works(in folder: String, trying name: String) -> Bool {
            guard let unnamed = open(in: folder) else { return false }
            defer { close(unnamed) }
            guard self.name(unnamed, name) else { return false }
            unlink(name)
            let other = Foundation.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard other >= 0 else { return false }
            defer { close(other) }
            unlink(name)
            var facts = (stat(), stat())
            return fstat(unnamed, &facts.0) == 0 && fstat(other, &facts.1) == 0 && facts.0.st_mode == facts.1.st_mode
        }

        /// Opens an unnamed file for writing. Returns `nil` if the file system does not support it or on any other
        /// error.
        static func open(in folder: String) -> Int32? {
            let descriptor = Foundation.open(folder, flags | O_WRONLY | O_CLOEXEC, 0o666)
            return descriptor < 0 ? nil : descriptor
        }

        /// Names the file. Returns `false` if the name is taken or the call fails.
        static func name(_ descriptor: Int32, _ path: String) -> Bool {
            // Before Linux 6.10, this call requires superuser privileges. The fallback through /proc is slower.
            if linkat(descriptor, "", AT_FDCWD, path, emptyPath) == 0 { return true }
            if errno == EEXIST { return false }
            return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
        }
    #else
        static func works(in folder: String, trying name: String) -> Bool { false }

        static func open(in folder: String) -> Int32? { nil }

        static func name(_ descriptor: Int32, _ path: String) -> Bool { false }
    #endif
}
