import Errand
import Foundation

/// The side file of a download: no content crashes the download, and each request is for missing bytes of the file.
///
/// The first two bytes are the length of the partial file. The rest is the side file.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 2 else { return 0 }
    let length = Int64(bytes[0]) << 8 | Int64(bytes[1])
    let text = Data(UnsafeBufferPointer(start: bytes + 2, count: count - 2))
    guard let record = try? JSONDecoder().decode(DownloadRecord.self, from: text),
        record.isUsable(length: length, identity: record.identity)
    else { return 0 }
    let total = record.total ?? .max
    precondition((0...total).contains(record.completed(length: length)), "more bytes than the file has")
    for width in [1, 16] {
        var options = DownloadOptions()
        options.ranges = width
        let machine = DownloadMachine(options, identity: record.identity, record: record, length: length)
        switch machine.firstAction {
        case .split(let split): check(split, options, total)
        case .send: check(machine.request, from: machine.position, total)
        default: preconditionFailure("an unexpected action: \(machine.firstAction)")
        }
        if let split = record.split(after: length, into: width) { check(split, options, total) }
    }
    return 0
}

private func check(_ record: DownloadRecord, _ options: DownloadOptions, _ total: Int64) {
    for segment in record.segments ?? [] where !segment.isComplete {
        let machine = DownloadMachine(options, record: record, segment: segment)
        check(machine.request, from: segment.position, segment.end)
    }
}

private func check(_ request: DownloadMachine.Request, from position: Int64, _ end: Int64) {
    guard let range = request.range else { return }
    precondition(range.first >= 0 && range.first <= position && range.first < end, "\(range) of \(end) bytes")
    precondition(range.last.map { $0 >= range.first && $0 < end } ?? true, "\(range) of \(end) bytes")
}
