import Errand
import ErrandGraphQL
import Foundation

/// The splitter of `multipart/mixed` bodies: no input crashes it, and the result does not depend on the chunks. The
/// first byte selects the boundary.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let data = Data(bytes: bytes, count: count)
    guard let selector = data.first else { return 0 }
    let boundary = ["-", "ab", "--"][Int(selector % 3)]
    let body = Data(data.dropFirst())
    let complete = outputs(boundary, [body])
    precondition(outputs(boundary, body.map { Data([$0]) }) == complete, "byte by byte")
    let half = body.count / 2
    let halves = [body.prefix(half), body.dropFirst(half)]
    precondition(outputs(boundary, halves) == complete, "in two parts")
    checkOrder(of: complete.compactMap(\.self), boundary, in: body)
    // The limit is that of the body: the first half fits, and the complete body does not.
    let limited = outputs(boundary, halves, limit: max(0, body.count - 1))
    precondition(body.isEmpty || limited.last == .some(nil), "a body above its limit")
    precondition(complete.starts(with: limited.dropLast()), "the parts before the limit")
    return 0
}

/// Checks that each part is in the body, after the previous one and before a delimiter, and contains no delimiter.
private func checkOrder(of parts: [Data], _ boundary: String, in body: Data) {
    let delimiter = Data("\n--\(boundary)".utf8)
    var start = body.startIndex
    for part in parts {
        precondition((Data("\n".utf8) + part).range(of: delimiter) == nil, "a delimiter in a part")
        guard let range = body.range(of: part + delimiter, in: start..<body.endIndex) else {
            preconditionFailure("a part that is not in the body")
        }
        start = range.lowerBound + part.count
    }
}

/// Returns the parts, and `nil` for an error.
private func outputs(_ boundary: String, _ chunks: [Data], limit: Int = .max) -> [Data?] {
    var splitter = MultipartMixedSplitter(boundary: boundary, limit: limit)
    var parts: [Data?] = []
    do {
        for chunk in chunks {
            splitter.add(chunk)
            while let part = try splitter.next() { parts.append(part) }
        }
        precondition(splitter.count == parts.count, "the count of the parts")
    } catch {
        parts.append(nil)
    }
    return parts
}
