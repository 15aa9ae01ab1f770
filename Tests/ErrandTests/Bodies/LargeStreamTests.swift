import Errand
import Foundation
import TestSupport
import Testing

/// Hostile streams of 10 MB.
@Suite(.serialized, .timeLimit(.minutes(3))) struct LargeStreamTests {
    /// A parser of a stream.
    enum Parser: CaseIterable, Sendable {
        case events, lines, sequence

        /// Parses chunks until the end or the first error. Returns the number of outputs.
        func count(_ chunks: [Data]) -> Int {
            let limit = 16 << 20
            var events = EventParser(limit: limit)
            var values = JSONValueSplitter(self == .sequence ? .sequence : .lines, limit: limit)
            var count = 0
            do throws(ServiceError) {
                for chunk in chunks where self == .events {
                    events.append(chunk)
                    while try events.next() != nil { count += 1 }
                }
                for chunk in chunks where self != .events {
                    values.add(chunk)
                    while try values.next() != nil { count += 1 }
                }
            } catch {
                return -1
            }
            return count
        }
    }

    /// Texts that a hostile server repeats: one line without an end, and many short lines.
    static let units = ["x", "data: \(line)\n", "id: \(line)\n", ":\(line)\r\n", "\u{1E}\(line)\n", "\(line)\r"]
    private static let line = String(repeating: "1", count: 90)

    /// Returns chunks with the given total size in bytes. The size of each chunk is not a multiple of the unit.
    private static func chunks(of unit: String, size: Int) -> [Data] {
        let bytes = Data(String(repeating: unit, count: size / unit.utf8.count).utf8)
        return stride(from: 0, to: bytes.count, by: 1_021).map { Data(bytes.dropFirst($0).prefix(1_021)) }
    }

    @Test(arguments: Parser.allCases, TestEnvironment.sample(units))
    func `a hostile stream of 10 MB is parsed in linear time`(parser: Parser, unit: String) async throws {
        let (small, large) = (Self.chunks(of: unit, size: 1_000_000), Self.chunks(of: unit, size: 10_000_000))
        // Linear time gives 10, and quadratic time 100.
        let growth = try await ProcessorTime.growth(limit: 40) {
            _ = parser.count(small)
        } long: {
            _ = parser.count(large)
        }
        #expect(growth < 40)
    }
}
