import Errand

/// A file that has no name until it is complete: of a run that is killed nothing is left, and the folder is changed once for each
/// file, not three times, while others wait for it.
enum UnnamedFile {
    #if os(Linux)
        /// `O_TMPFILE` of open(2), which Swift does not see: a bit that is the same everywhere, and one that is not.
        private static let flags: Int32 = 0o20_000_000 | O_DIRECTORY

        /// `AT_EMPTY_PATH` of linkat(2), which Swift does not see either.
        private static let emptyPath: Int32 = 0x1000

        /// Whether such a file can get a name in a folder, by trying one that is free, and has then the rights of any other:
        /// before Linux 6.10 names need /proc, and before 6.0 it may forget the umask.
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

        /// A descriptor to write to; nil where the folder's file system has no such files, or anything else is wrong.
        static func open(in folder: String) -> Int32? {
            let descriptor = Foundation.open(folder, flags | O_WRONLY | O_CLOEXEC, 0o666)
            return descriptor < 0 ? nil : descriptor
        }

        /// Gives the file its name; false where that is taken, or can't be given.
        static func name(_ descriptor: Int32, _ path: String) -> Bool {
            // Before Linux 6.10 this is for the superuser alone; the way through /proc takes longer.
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
