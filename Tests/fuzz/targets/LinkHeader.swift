import Errand
import Foundation

/// The `Link` header: no input crashes or hangs the parser, and each target resolves or is `nil`.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let base = URL(filePath: "/")
    for link in LinkHeader(text).links { _ = link.url(relativeTo: base) }
    return 0
}
