/// Downloads the segments of a file at the same time.
struct SegmentTransfers<T: APIHandler> {
    private let file: DownloadTransfer<T>
    private let ledger: SegmentLedger
    /// The indices of the segments that wait.
    private var waiting: ArraySlice<Int>
    private var running = 0
    private var failure: ServiceError?
    /// The header section of the last response.
    private(set) var head: ResponseHead?
    /// The digest that the server announced.
    private(set) var announced: FileDigest?

    /// Prepares the segments that are not complete.
    init(of file: DownloadTransfer<T>, _ record: DownloadRecord, _ ledger: SegmentLedger) {
        (self.file, self.ledger) = (file, ledger)
        let segments = record.segments ?? []
        waiting = segments.indices.filter { !segments[$0].isComplete }[...]
    }

    /// Runs the transfers, and returns the error that ended them.
    ///
    /// A server may refuse more than a few connections at the same time. A segment that fails temporarily waits until
    /// another one has ended. The transfers fail if they have received no new bytes since the last such failure.
    mutating func run(atOnce width: Int) async -> ServiceError? {
        var completed = await ledger.completed
        return await withTaskGroup(of: (Int, Result<DownloadTransfer<T>, ServiceError>).self) { group in
            for _ in 0..<width { await start(&group) }
            while let (index, result) = await group.next() {
                running -= 1
                switch result {
                case .success(let part):
                    head = part.head ?? head
                    announced = part.machine.announced ?? announced
                    await start(&group)
                case .failure(let error):
                    let present = await ledger.completed
                    guard DownloadMachine.mayContinue(after: error), failure == nil, running > 0 || present > completed
                    else {
                        failure = failure ?? error
                        group.cancelAll()
                        continue
                    }
                    waiting.append(index)
                    guard running == 0 else { continue }
                    completed = present
                    await start(&group)
                }
            }
            return failure
        }
    }

    /// Starts the next segment.
    private mutating func start(
        _ group: inout TaskGroup<(Int, Result<DownloadTransfer<T>, ServiceError>)>
    ) async {
        guard failure == nil, let index = waiting.popFirst() else { return }
        guard let part = file.segment(index, of: await ledger.record, ledger) else { return }
        group.addTask { (index, await Self.result(of: part)) }
        running += 1
    }

    private static func result(of part: DownloadTransfer<T>) async -> Result<DownloadTransfer<T>, ServiceError> {
        var part = part
        do throws(ServiceError) {
            try await part.run()
            return .success(part)
        } catch {
            return .failure(error)
        }
    }
}
