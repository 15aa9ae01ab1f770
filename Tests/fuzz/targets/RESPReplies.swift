import ErrandValkey
import Foundation

/// The parser of replies: no input crashes it, and the result does not depend on the chunks.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let data = Data(bytes: bytes, count: count)
    let complete = replies([data])
    precondition(replies(data.map { Data([$0]) }) == complete, "byte by byte")
    let half = count / 2
    precondition(replies([data.prefix(half), data.dropFirst(half)]) == complete, "in two parts")
    return 0
}

private func replies(_ chunks: [Data]) -> [String] {
    var limits = RESPParser.Limits()
    (limits.bytes, limits.values) = (65_536, 10_000)
    var parser = RESPParser(limits)
    var replies: [String] = []
    do {
        for chunk in chunks {
            parser.append(chunk)
            // As text, because a double may not be a number, which is not equal to itself.
            while let reply = try parser.next() { replies.append("\(reply)") }
        }
    } catch {
        replies.append("malformed")
    }
    return replies
}
