import Errand
import ErrandSupport
import Testing
import os

@Suite struct SystemSinkTests {
    private func entries(_ body: () -> Void) -> [OSLogStub.Entry] {
        let entries = Locked<[OSLogStub.Entry]>([])
        OSLogStub.$record.withValue({ entry in entries.withLock { $0.append(entry) } }, operation: body)
        return entries.withLock { $0 }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let level: LoggingInterceptor.Level
        let type: OSLogType
        var testDescription: String { level.rawValue }
    }

    private static let rows = [
        Row(level: .trace, type: .debug), Row(level: .debug, type: .debug), Row(level: .info, type: .info),
        Row(level: .notice, type: .default), Row(level: .warning, type: .default), Row(level: .error, type: .error),
        Row(level: .critical, type: .fault),
    ]

    @Test(arguments: rows) func `a log line has the nearest level of the system`(row: Row) {
        let entries = entries {
            LoggingInterceptor.SystemSink(subsystem: "gallery", category: "calls").log("GET /", at: row.level)
        }
        let entry = OSLogStub.Entry(subsystem: "gallery", category: "calls", type: row.type, text: "GET /")
        #expect(entries == [entry])
    }

    @Test func `every level has a row`() {
        #expect(Set(Self.rows.map(\.level)) == Set(LoggingInterceptor.Level.allCases))
    }

    @Test func `the category is network by default`() {
        let entries = entries { LoggingInterceptor.SystemSink(subsystem: "gallery").log("GET /", at: .info) }
        #expect(entries.map(\.category) == ["network"])
    }
}
