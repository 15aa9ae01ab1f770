import Errand

/// The growth of memory with the number of sequential requests. Prints the resident memory after each tenth of them.
struct SoakBenchmark {
    let requests: Int

    /// A subject, and its share of the requests.
    typealias Subject = (SessionSubject, share: Double)

    /// The subjects. The floor shows the growth of the benchmark itself.
    private static let subjects: [Subject] =
        [
            (.floorReading, 1),
            (.plain("URLSession", URLSession(configuration: .default)), 0.1),
            (.loader("URLSession", URLSession(configuration: .ephemeral)), 0.1),
        ] + PlatformSubjects.soak

    func run() async throws {
        try await ServerProcess.use { server in
            let target = Target(.listing, in: server)
            for (subject, share) in Self.subjects {
                let variant = try subject.variant(target, inFlight: 1)
                try await soak(variant, tenth: max(1, Int(Double(requests) * share / 10)))
            }
        }
    }

    private func soak(_ variant: Variant, tenth: Int) async throws {
        print("\n\(variant.name), \(10 * tenth) sequential requests: resident memory in MB")
        var table = Table("requests", "resident", "requests/s")
        var first = 0
        for part in 1...10 {
            let start = ProcessClock.now
            let runs = try await variant.run(.times(tenth))
            let rate = Double(runs) * 1_000_000 / (ProcessClock.now.wall - start.wall)
            let resident = ResidentMemory.now
            if part == 1 { first = resident }
            table.add("\(part * tenth)", resident.megabytes, rate.integer)
        }
        table.print()
        let growth = Double(ResidentMemory.now - first) / Double(9 * tenth)
        print("  growth after the first tenth: \(growth.tenths) bytes per request")
    }
}
