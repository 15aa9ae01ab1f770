import ErrandSupport

/// Counts the bytes of an upload or a download. The sessions add to it, and ``TransferEvents`` reads it.
package final class TransferMeter: Sendable {
    /// The bytes that were sent or received, and the number of bytes in all.
    package struct Reading: Sendable, Hashable {
        package var completed: Int64 = 0
        package var total: Int64?
        /// The number of times that counting has started.
        package var starts = 0
    }

    /// The transfer that a meter of one of its requests adds to.
    private struct Whole: Sendable {
        let meter: TransferMeter
        let offset: Int64
        let total: Int64
    }

    private let state = Locked(Reading())
    private let whole: Whole?

    package init() { whole = nil }

    /// Creates the meter of a request that sends a part of a body. The bytes are added to the meter of the complete
    /// transfer.
    package init(partOf meter: TransferMeter, at offset: Int64, of total: Int64) {
        whole = Whole(meter: meter, offset: offset, total: total)
    }

    package var reading: Reading { whole.map { $0.meter.reading } ?? state.withLock { $0 } }

    /// Starts to count again.
    ///
    /// - Parameters:
    ///   - offset: The bytes that need not be sent or received again.
    ///   - total: The number of bytes in all, or `nil` if it is unknown.
    package func begin(at offset: Int64 = 0, total: Int64?) {
        if let whole { return whole.meter.begin(at: whole.offset + offset, total: whole.total) }
        state.withLock { $0 = Reading(completed: offset, total: total, starts: $0.starts + 1) }
    }

    /// Adds bytes. Negative numbers are ignored.
    package func add(_ count: Int64) {
        guard count > 0 else { return }
        if let whole { return whole.meter.add(count) }
        state.withLock { reading in
            let (sum, isTooLarge) = reading.completed.addingReportingOverflow(count)
            if !isTooLarge { reading.completed = sum }
        }
    }
}

extension RequestOptions {
    private enum MeterKey: RequestOptionKey {
        static let defaultValue: TransferMeter? = nil
    }

    /// Counts the bytes of the request body that were sent. `nil` if the progress is not observed.
    package var uploadMeter: TransferMeter? {
        get { self[MeterKey.self] }
        set { self[MeterKey.self] = newValue }
    }

    /// Reports that a custom session starts to send the body of a request, for ``APILoader/upload(_:)``. Call it before
    /// the first byte, and again for each attempt and each redirect. It starts the count of the body again.
    ///
    /// - Parameter total: The number of bytes, or `nil` if it is unknown.
    public func reportUploadStart(total: Int64?) { uploadMeter?.begin(total: total) }

    /// Reports sent bytes of a body, for the progress of `upload(_:)` of a loader. A custom session calls it after it
    /// has sent a part of the body.
    ///
    /// - Parameter count: The number of bytes since the previous call.
    public func reportUpload(of count: Int64) { uploadMeter?.add(count) }
}
