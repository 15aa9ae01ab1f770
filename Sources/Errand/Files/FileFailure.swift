/// A failed system call on a file.
package struct FileFailure: Error, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The `POSIXError` of the failure.
    var cause: any Error { POSIXErrorCode(rawValue: number).map { POSIXError($0) } ?? self }

    package var description: String {
        switch number {
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is exceeded"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "no such file or folder"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR, ENOTEMPTY, EEXIST: "a folder with that name exists"
        case ENAMETOOLONG: "the path is too long"
        case EMFILE, ENFILE: "too many files are open"
        case EFBIG: "the file would be too large"
        case EIO: "the disk reported an error"
        case ENOLCK, ENOTSUP, ENOSYS: "the file system does not support locks or links"
        default: "system error \(number)"
        }
    }
}
