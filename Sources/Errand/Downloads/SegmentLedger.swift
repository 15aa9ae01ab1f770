/// The record of a download in several parts. The tasks of the parts report the bytes that they have written.
actor SegmentLedger {
    /// The number of new bytes after which the record is stored: 4 MB. A killed process may lose them.
    private static let step: Int64 = 4 << 20

    private(set) var record: DownloadRecord
    private let files: DownloadFiles
    private let meter: TransferMeter
    private var unstored: Int64 = 0

    init(_ record: DownloadRecord, _ files: DownloadFiles, _ meter: TransferMeter) {
        self.record = record
        self.files = files
        self.meter = meter
    }

    /// The number of bytes that are written.
    var completed: Int64 { record.completed(length: 0) }

    /// Records that a segment is written up to a position.
    func advance(_ index: Int, to position: Int64) throws(FileFailure) {
        guard let segment = record.segments?[index] else { return }
        record.segments?[index].position = position
        if position < segment.position {
            let reading = meter.reading
            meter.begin(at: reading.completed - (segment.position - position), total: reading.total)
        }
        meter.add(position - segment.position)
        unstored += max(0, position - segment.position)
        if unstored >= Self.step || position >= segment.end { try store() }
    }

    /// Stores the record. The bytes that it claims are already written.
    func store() throws(FileFailure) {
        try files.store(record)
        unstored = 0
    }
}
