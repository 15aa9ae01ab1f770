import Errand
import Foundation

/// The event stream parser: no input crashes it, and the result does not depend on the chunks.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let data = Data(bytes: bytes, count: count)
    let complete = outputs([data])
    precondition(outputs(data.map { Data([$0]) }) == complete, "byte by byte")
    let half = count / 2
    precondition(outputs([data.prefix(half), data.dropFirst(half)]) == complete, "in two parts")
    for case .event(let event) in complete {
        precondition(!event.type.isEmpty && !event.id.contains("\0"), "\(event)")
    }
    return 0
}

private func outputs(_ chunks: [Data]) -> [EventParser.Output] {
    var parser = EventParser()
    var outputs: [EventParser.Output] = []
    for chunk in chunks {
        parser.append(chunk)
        while let output = try? parser.next() { outputs.append(output) }
    }
    return outputs
}
