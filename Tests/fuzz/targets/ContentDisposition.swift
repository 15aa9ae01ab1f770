import Errand
import Foundation

/// The `Content-Disposition` header: no input crashes or hangs the parser, and each safe name is safe.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let header = ContentDisposition(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    guard let name = header.safeFileName else { return 0 }
    let isSafe =
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix(".") && !name.hasSuffix(".")
        && !name.contains { "/\\:*?\"<>|".contains($0) }
        && !name.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    precondition(isSafe, "an unsafe name: \(name.debugDescription)")
    precondition(ContentDisposition("attachment; filename=\"\(name)\"").safeFileName == name, name.debugDescription)
    return 0
}
