import Errand
import Foundation

/// The headers of a stored response: no `Cache-Control`, date, `Age` or `Vary` crashes or hangs the cache, and a lifetime
/// is between 0 and 2^31 seconds.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let names = ["Cache-Control", "Expires", "Date", "Age", "Last-Modified", "Vary", "Pragma", "Cache-Control"]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let headers = HeaderFields(zip(names, lines).map { HeaderFields.Field($0, String($1)) })
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let head = ResponseHead(status: 200, headers: headers, url: URL(filePath: "/"))
    let entry = CacheEntry(head: head, requestDate: now - 1, responseDate: now, selection: VarySelection())
    precondition((0...2_147_483_648).contains(entry.lifetime), "\(entry.lifetime)")
    precondition(entry.age(at: now + 10).map { $0 >= 10 } ?? false)
    return 0
}
