import Errand
import Foundation
import TestSupport
import Testing

@Suite struct DownloadFilesTests {
    private static let validators = ResourceValidators(["ETag": #""a""#])

    private func record(total: Int64? = 10) -> DownloadRecord {
        DownloadRecord(identity: "i", validators: Self.validators, total: total)
    }

    private func list(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func `the partial file and its record are hidden and private`() throws {
        let folder = try ScratchFolder()
        let files = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files.write(Data("abc".utf8), at: 0)
        try files.store(record())
        let names = try list(folder)
        #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix(".errand-") })
        for name in names { #expect(try folder.mode(of: name) == 0o600) }
        #expect(try !names.contains { try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8) == "" })
    }

    @Test func `a later process continues with the stored record`() throws {
        let folder = try ScratchFolder()
        var files: DownloadFiles? = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files?.write(Data("abc".utf8), at: 0)
        try files?.store(record())
        files = nil
        let next = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        #expect(try next.length() == 3)
        #expect(try next.usableRecord(identity: "i", length: 3) == record())
        #expect(try next.usableRecord(identity: "other", length: 3) == nil)
        #expect(try next.read(at: 1, count: 9) == Data("bc".utf8))
    }

    @Test func `the second download to the same file fails with a clear error`() throws {
        let folder = try ScratchFolder()
        var first: DownloadFiles? = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        #expect(first != nil)
        let error = #expect(throws: ServiceError.self) {
            try DownloadFiles(in: folder.url, name: "a", identity: "i")
        }
        #expect(error?.code == .file && error?.reason.contains("another download") == true)
        _ = try DownloadFiles(in: folder.url, name: "b", identity: "i")
        first = nil
        _ = try DownloadFiles(in: folder.url, name: "a", identity: "i")
    }

    #if os(Linux)
        /// A process that is about to run another program has such a copy for a moment.
        @Test func `a copy of the descriptor does not hold the lock`() throws {
            let folder = try ScratchFolder()
            var files: DownloadFiles? = try DownloadFiles(in: folder.url, name: "a", identity: "i")
            #expect(files != nil)
            let own = try #require(
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
                    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                    return path?.hasPrefix(folder.url.path) == true
                })
            let copy = dup(try #require(Int32(own)))
            defer { close(copy) }
            files = nil
            _ = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        }
    #endif

    @Test func `a file that got its final name is not written again`() throws {
        let folder = try ScratchFolder()
        var files: DownloadFiles? = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files?.write(Data("done".utf8), at: 0)
        try files?.store(record())
        // A process that was killed between link(2) and unlink(2).
        let partial = try #require(try list(folder).first { $0.hasSuffix(".download") })
        let final = folder.url.appending(path: "a")
        try FileManager.default.linkItem(at: folder.url.appending(path: partial), to: final)
        files = nil
        let next = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        #expect(try next.length() == 0)
        #expect(try next.usableRecord(identity: "i", length: 0) == nil)
        try next.write(Data("other".utf8), at: 0)
        #expect(try String(contentsOf: final, encoding: .utf8) == "done")
    }

    @Test(arguments: [true, false], [true, false])
    func `the final file has the usual permissions`(overwrites: Bool, isResumed: Bool) throws {
        let folder = try ScratchFolder()
        if isResumed { try DownloadFiles(in: folder.url, name: "a", identity: "i").write(Data("d".utf8), at: 0) }
        let files = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files.write(Data("done".utf8), at: 0)
        try files.store(record())
        let final = folder.url.appending(path: "a")
        if overwrites { try Data("old".utf8).write(to: final) }
        #expect(try files.move(to: final, overwrites: overwrites))
        #expect(try list(folder) == ["a"])
        #expect(try String(contentsOf: final, encoding: .utf8) == "done")
        _ = try folder.file(Data(), name: "usual")
        #expect(try folder.mode(of: "a") == folder.mode(of: "usual"))
    }

    @Test func `an existing file is not replaced`() throws {
        let folder = try ScratchFolder()
        let files = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files.write(Data("done".utf8), at: 0)
        let final = try folder.file(Data("old".utf8), name: "a")
        #expect(try !files.move(to: final, overwrites: false))
        #expect(try String(contentsOf: final, encoding: .utf8) == "old")
        for name in try folder.leftovers() { #expect(try folder.mode(of: name) == 0o600) }
    }

    static let records: [(text: String, length: Int64)] = {
        let valid = #""identity":"i","validators":{"entityTag":"\"a\""}"#
        func segments(_ list: String) -> String { #"{"version":1,\#(valid),"total":100,"segments":[\#(list)]}"# }
        return [
            ("", 5), ("{", 5), ("null", 5), (#"{"version":2,\#(valid)}"#, 5), (#"{"version":1,\#(valid)}"#, 0),
            (#"{"version":1,\#(valid),"total":4}"#, 5), (#"{"version":1,\#(valid),"total":-1}"#, 5),
            (#"{"version":1,"identity":"i","validators":{"entityTag":"W/\"a\""}}"#, 5),
            (#"{"version":1,"identity":"i","validators":{}}"#, 5),
            (#"{"version":1,\#(valid),"total":1e99}"#, 5), (segments(""), 5),
            (segments(#"{"start":0,"end":99,"position":5}"#), 5), (segments(#"{"start":1,"end":100,"position":5}"#), 5),
            (segments(#"{"start":0,"end":100,"position":6}"#), 5),
            (segments(#"{"start":0,"end":100,"position":-1}"#), 5),
            (segments(#"{"start":0,"end":100,"position":101}"#), 100),
            (segments(#"{"start":0,"end":50,"position":5},{"start":40,"end":100,"position":40}"#), 5),
            (segments(#"{"start":0,"end":50,"position":5},{"start":50,"end":100,"position":70}"#), 60),
            (String(repeating: "[", count: 65_536), 5), (String(repeating: " ", count: 70_000), 5),
        ]
    }()

    @Test(arguments: records) func `a record that does not fit its file is ignored`(text: String, length: Int64) throws
    {
        let folder = try ScratchFolder()
        let files = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        try files.store(record())
        let side = try #require(try list(folder).first { $0.hasSuffix(".json") })
        try Data(text.utf8).write(to: folder.url.appending(path: side))
        #expect(try files.usableRecord(identity: "i", length: length) == nil)
    }

    @Test func `a file is split into parts of at least one megabyte`() throws {
        let megabyte: Int64 = 1 << 20
        func parts(_ total: Int64, _ length: Int64, _ width: Int) -> [Int64]? {
            record(total: total).split(after: length, into: width)?.segments?.map { $0.end - $0.start }
        }
        #expect(parts(9 * megabyte, megabyte, 4) == [1, 2, 2, 2, 2].map { $0 * megabyte })
        #expect(parts(4 * megabyte, megabyte, 4) == [1, 1, 1, 1].map { $0 * megabyte })
        #expect(parts(3 * megabyte - 1, megabyte, 4) == nil)
        #expect(parts(9 * megabyte, 9 * megabyte, 4) == nil)
        #expect(parts(.max, 1, 16)?.reduce(0, +) == .max)
        #expect(record(total: nil).split(after: 1, into: 4) == nil)
        let split = try #require(record(total: 9 * megabyte).split(after: megabyte, into: 4))
        #expect(split.isUsable(length: megabyte, identity: "i"))
        #expect(split.completed(length: 0) == megabyte)
    }

    @Test func `a symbolic link or a folder is not used as the partial file`() throws {
        let folder = try ScratchFolder()
        var files: DownloadFiles? = try DownloadFiles(in: folder.url, name: "a", identity: "i")
        let partial = folder.url.appending(path: try #require(try list(folder).first))
        files?.remove()
        files = nil
        let target = try folder.file(Data("precious".utf8), name: "target")
        try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: target)
        #expect(throws: ServiceError.self) { try DownloadFiles(in: folder.url, name: "a", identity: "i") }
        try FileManager.default.removeItem(at: partial)
        try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: false)
        #expect(throws: ServiceError.self) { try DownloadFiles(in: folder.url, name: "a", identity: "i") }
        #expect(try String(contentsOf: target, encoding: .utf8) == "precious")
    }
}
