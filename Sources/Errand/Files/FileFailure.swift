/// A failed system call on a file, in words.
struct FileFailure: Error, CustomStringConvertible {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    /// The platform's own error.
    var cause: any Error { POSIXErrorCode(rawValue: number).map { POSIXError($0) } ?? self }

    var description: String {
        switch number {
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is used up"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "there is none of that name, or no such folder"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR, ENOTEMPTY, EEXIST: "a folder of that name is in the way"
        case ENAMETOOLONG: "the path is too long"
        case EMFILE, ENFILE: "too many files are open"
        case EFBIG: "it would be too large"
        case EIO: "the disk failed"
        default: "system error \(number)"
        }
    }
}
