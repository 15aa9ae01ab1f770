import Errand
import Foundation

/// The `Content-Range` header: no input crashes the parser, and each range is within the complete length.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    guard let header = ContentRange(text) else { return 0 }
    if let range = header.range {
        precondition(range.lowerBound >= 0 && header.count > 0, text)
        precondition(header.completeLength.map { range.upperBound < $0 } ?? true, text)
    } else {
        precondition(header.completeLength != nil && header.count == 0, text)
    }
    return 0
}
