import Errand
import Foundation

/// A HAR file: no content crashes the reader or the redaction, and an archive that was read is read again after it was
/// written, also without its secrets.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard let archive = try? HTTPArchive(data: Data(UnsafeBufferPointer(start: bytes, count: count))) else { return 0 }
    for written in [archive, archive.redacted()] {
        guard let copy = try? HTTPArchive(data: written.data) else {
            preconditionFailure("a written archive is not read")
        }
        precondition(copy.entries.count == archive.entries.count, "another number of entries")
    }
    return 0
}
