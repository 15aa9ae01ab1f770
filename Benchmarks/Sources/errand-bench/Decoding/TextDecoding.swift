import ErrandJSON
import Foundation

/// The rate at which long JSON texts are decoded, with `JSONDecoder` and with `FastJSONDecoder`.
struct TextDecoding {
    static let options: Set<String> = ["megabytes", "texts"]

    private let texts: DecodingTexts
    /// The folder to which the texts are written, so that a decoder of another language can be measured.
    private let folder: URL?

    init(_ arguments: Arguments) throws(Failure) {
        texts = DecodingTexts(bytes: try arguments.number("megabytes").map { $0 * 1_000_000 } ?? 2_000_000)
        folder = arguments["texts"].map { URL(filePath: $0) }
    }

    func run() async throws {
        if let folder { try write(to: folder) }
        print("\nMB/s of texts of \(texts.bytes / 1_000_000) MB: median (quartiles) of 5 rounds")
        var table = Table("", "JSONDecoder", "FastJSONDecoder", "ratio", "limit")
        var slow: [String] = []
        for row in rows {
            let (line, ratio) = try await row.measure()
            table.add(row.name, line.0, line.1, ratio.ratio, row.limit.ratio)
            guard ratio.median < row.limit else { continue }
            slow.append("\(row.name): expected a ratio of at least \(row.limit.ratio), found \(ratio.ratio)")
        }
        table.print()
        guard slow.isEmpty else {
            throw Failure(slow.joined(separator: ", "))
        }
    }

    private func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("small", texts.small), ("issues", texts.issues), ("doubles", texts.doubles)] {
            try text.write(to: folder.appending(path: "\(name).json"))
        }
    }

    private var rows: [DecodingRow] {
        let dates = JSONDecoder()
        dates.dateDecodingStrategy = .iso8601
        let snake = JSONDecoder()
        snake.dateDecodingStrategy = .iso8601
        snake.keyDecodingStrategy = .convertFromSnakeCase
        return [
            DecodingRow("small objects", texts.small, [DecodingTexts.Small].self, limit: 2.5),
            DecodingRow("nested issues with dates", texts.issues, [DecodingTexts.Issue].self, dates, limit: 2),
            DecodingRow("with convertFromSnakeCase", texts.issues, [DecodingTexts.PlainIssue].self, snake, limit: 2),
            DecodingRow("objects of doubles", texts.doubles, [DecodingTexts.Point].self, limit: 2.5),
            DecodingRow("doubles", texts.list { "\(DecodingTexts.fraction($0))" }, [Double].self, limit: 2.5),
            DecodingRow("negative zeros", texts.list { _ in "-0.0" }, [Double].self, limit: 1),
            DecodingRow("subnormal numbers", texts.list { "\($0 + 1)e-320" }, [Double].self, limit: 1),
            DecodingRow("integers of 19 digits", texts.list { "\(1 << 62 + $0)" }, [Int].self, limit: 1),
            DecodingRow("decimal numbers", texts.list { "\($0).25" }, [Decimal].self, limit: 1),
            DecodingRow(
                #"\u escapes"#, texts.list { #""\u0442\u0435\u043a \#($0) \ud83d\ude80""# }, [String].self, limit: 2),
            DecodingRow(
                "other escapes", texts.list { #""line \#($0)\nwith \"quotes\" and \t tabs, and plain text""# },
                [String].self, limit: 2),
        ]
    }
}

/// One text, and the decoders that decode it.
struct DecodingRow {
    let name: String
    /// The minimum ratio of the rates.
    let limit: Double
    let measure: @Sendable () async throws -> ((String, String), Spread)

    init<Value: Decodable & Sendable>(
        _ name: String, _ text: Data, _ type: Value.Type, _ decoder: JSONDecoder = JSONDecoder(), limit: Double
    ) {
        self.name = name
        self.limit = limit
        let fast = FastJSONDecoder(decoder)
        measure = {
            let variants = [
                Variant("JSONDecoder") { try decoder.decode(type, from: text) },
                Variant("FastJSONDecoder") { try fast.decode(type, from: text) },
            ]
            let results = try await Interleaving(block: .times(1), rounds: 5).measure(variants)
            let rates = results.map { (Double(text.count) / $0.cpu.median).integer }
            return ((rates[0], rates[1]), results[0].cpuRatio(to: results[1]))
        }
    }
}
