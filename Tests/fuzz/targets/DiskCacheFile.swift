import Errand
import Foundation

/// An entry of a cache on disk: no content crashes the reader.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let data = Data(UnsafeBufferPointer(start: bytes, count: count))
    guard let file = DiskCacheFile(hashed: data), let entry = file.entry(ResponseBody(file.body)) else { return 0 }
    _ = entry.age(at: Date(timeIntervalSince1970: 1_700_000_000))
    _ = entry.description
    return 0
}
