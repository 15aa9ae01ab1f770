import ErrandSupport

/// The size of the files of a ``DiskCacheStore``, which removes the least recently used entries.
///
/// Other processes may add files at the same time. Each process counts the files again when it has added a sixteenth of
/// the capacity, and an eighth of the capacity stays free for the others.
final class DiskCacheSpace: Sendable {
    private struct State {
        /// The known size of all files, or `nil` before the first scan.
        var bytes: Int64?
        /// The number of bytes that were reserved since the start of the last scan.
        var added: Int64 = 0
        /// The number of reserved bytes that are not yet in a file.
        var pending: Int64 = 0
        /// The scan in progress. All writers that need it wait for the same one.
        var scan: Task<Bool, Never>?

        mutating func add(_ count: Int64) {
            bytes = bytes.map { $0 + count }
            added += count
            pending += count
        }
    }

    private let folder: DiskCacheFolder
    private let capacity: Int64
    private let state = Locked(State())
    /// The maximum number of scans of other writers that a reservation waits for.
    private static let scanLimit = 32

    init(_ folder: DiskCacheFolder, capacity: Int64) {
        (self.folder, self.capacity) = (folder, capacity)
    }

    private var limit: Int64 { capacity - capacity / 8 }

    /// Reserves bytes for a file. Returns `false` if no space can be made for them.
    func reserve(_ count: Int64) async -> Bool {
        for _ in 0..<Self.scanLimit {
            if reserveKnown(count) { return true }
            let (scan, isOwn) = startScan(for: count)
            let isReserved = await scan.value
            // The scan of another writer makes space for that one.
            if isOwn { return isReserved }
        }
        return false
    }

    /// Notes that reserved bytes are in a file, or are no longer needed.
    func settle(_ count: Int64) {
        state.withLock { $0.pending -= count }
    }

    /// Notes that bytes were removed.
    func release(_ count: Int64) {
        state.withLock { state in state.bytes = state.bytes.map { $0 - count } }
    }

    /// Counts the files again before the next bytes are reserved.
    func invalidate() {
        state.withLock { $0.bytes = nil }
    }

    private func reserveKnown(_ count: Int64) -> Bool {
        state.withLock { state in
            guard let bytes = state.bytes, bytes + count <= limit, state.added + count <= capacity / 16 else {
                return false
            }
            state.add(count)
            return true
        }
    }

    /// Returns the scan in progress, or starts one that reserves bytes. The task is unstructured because several writers
    /// wait for it.
    private func startScan(for count: Int64) -> (scan: Task<Bool, Never>, isOwn: Bool) {
        state.withLock { state in
            if let scan = state.scan { return (scan, false) }
            let scan = Task { self.countFiles(reserving: count) }
            state.scan = scan
            return (scan, true)
        }
    }

    private func countFiles(reserving count: Int64) -> Bool {
        let pending = state.withLock { state in
            state.added = 0
            return state.pending
        }
        guard let contents = folder.scan() else {
            return state.withLock { state in
                (state.bytes, state.scan) = (nil, nil)
                return false
            }
        }
        var bytes = contents.bytes + pending
        // Other tasks can reserve a sixteenth of the capacity during the scan. More space is made than necessary, so that
        // the folder is not scanned again at once.
        let target = bytes + count > limit - capacity / 16 ? limit - max(count, capacity / 8) - capacity / 16 : limit
        for item in contents.items.sorted(by: { $0.used < $1.used }) where bytes > target && folder.evict(item) {
            bytes -= item.size
        }
        let known = bytes
        return state.withLock { state in
            // Reservations during the scan may be in `contents`, too. Counting them twice is safe.
            (state.bytes, state.scan) = (known + state.added, nil)
            guard known + state.added + count <= limit else { return false }
            state.add(count)
            return true
        }
    }
}
