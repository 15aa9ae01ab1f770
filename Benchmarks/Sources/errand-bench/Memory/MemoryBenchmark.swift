import Errand

/// The growth of a session's memory during a slow download and the upload of a file.
struct MemoryBenchmark {
    /// The length of the body in megabytes.
    let megabytes: Int

    static let options: Set = ["megabytes"]
    private static let bytesPerSecond = 20_000_000

    init(_ arguments: Arguments) throws {
        megabytes = try arguments.number("megabytes") ?? 1_000
    }

    private static let subjects =
        PlatformSubjects.memory + [
            MemorySubject(name: "URLSession", session: URLSession(configuration: .ephemeral), allowed: nil)
        ]

    func run() async throws {
        print("The growth of resident memory in MB during the transfer of \(megabytes) MB")
        var table = Table("", "before", "peak", "growth", "")
        var refused: [String] = []
        try await ServerProcess.use { server in
            for subject in Self.subjects {
                let transfers = BodyTransfers(session: subject.session, server: server, bytes: megabytes * 1_000_000)
                // A first transfer, because one-time allocations of a session do not count as growth.
                try await BodyTransfers(session: subject.session, server: server, bytes: 1_000)
                    .download(bytesPerSecond: Self.bytesPerSecond)
                refused += try await measure("download at 20 MB/s", subject, in: &table) {
                    try await transfers.download(bytesPerSecond: Self.bytesPerSecond)
                }
                refused += try await measure("upload of a file", subject, in: &table) { try await transfers.upload() }
                refused += try await measure("upload of a form", subject, in: &table) {
                    try await transfers.uploadForm()
                }
            }
        }
        table.print()
        if !refused.isEmpty {
            throw Failure("memory limit exceeded or transfer failed: " + refused.joined(separator: "; "))
        }
    }

    /// Measures a transfer and adds a row. Returns the reasons for a failure.
    private func measure(
        _ what: String, _ subject: MemorySubject, in table: inout Table, _ body: () async throws -> Void
    ) async throws -> [String] {
        try ResidentMemory.forgetPeak()
        let before = ResidentMemory.now
        var remark = ""
        do {
            try await body()
        } catch {
            remark = "\(error)"
        }
        let peak = ResidentMemory.peak
        let growth = Double(peak - before) / 1_000_000
        let name = "\(subject.name), \(what)"
        table.add(name, before.megabytes, peak.megabytes, growth.tenths, remark)
        guard let allowed = subject.allowed else { return [] }
        if !remark.isEmpty { return ["\(name): \(remark)"] }
        return growth <= allowed ? [] : ["\(name): expected at most \(allowed.tenths) MB, found \(growth.tenths) MB"]
    }
}
