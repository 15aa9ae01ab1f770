import Errand
import Foundation

/// The splitters of streamed JSON: no input crashes them, and the result does not depend on the chunks. The first byte
/// selects lines, a sequence, or an array.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let data = Data(bytes: bytes, count: count)
    guard let format = data.first else { return 0 }
    let body = Data(data.dropFirst())
    switch format % 3 {
    case 0: check(JSONValueSplitter(.lines, limit: 1_000), body)
    case 1: check(JSONValueSplitter(.sequence, limit: 1_000), body)
    default: check(JSONArraySplitter(limit: 1_000), body)
    }
    return 0
}

private func check(_ splitter: some JSONTextSplitter, _ body: Data) {
    let complete = outputs(splitter, [body])
    precondition(outputs(splitter, body.map { Data([$0]) }) == complete, "byte by byte")
    let half = body.count / 2
    precondition(outputs(splitter, [body.prefix(half), body.dropFirst(half)]) == complete, "in two parts")
    for text in complete.compactMap(\.self) { precondition(text.bytes.count <= 1_000, "\(text)") }
}

/// Returns the texts, and `nil` for an error.
private func outputs(_ splitter: some JSONTextSplitter, _ chunks: [Data]) -> [JSONText?] {
    var (splitter, texts): (_, [JSONText?]) = (splitter, [])
    do {
        for chunk in chunks {
            splitter.add(chunk)
            while let text = try splitter.next() { texts.append(text) }
        }
        if let text = try splitter.last() { texts.append(text) }
    } catch {
        texts.append(nil)
    }
    return texts
}
