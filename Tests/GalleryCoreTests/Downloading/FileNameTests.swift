import Errand
import GalleryCore
import TestSupport
import Testing

@Suite struct FileNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        let id: String
        let name: String
        var testDescription: String { "\(words.debugDescription) \(id.debugDescription)" }

        init(_ words: String, _ id: String, _ name: String) {
            (self.words, self.id, self.name) = (words, id, name)
        }
    }

    @Test(arguments: [
        Row("Misty Lake", "LBI7cgq3pbM", "misty-lake.LBI7cgq3pbM.full"),
        Row("misty-lake-LBI7cgq3pbM", "LBI7cgq3pbM", "misty-lake.LBI7cgq3pbM.full"),
        Row("koi-R__drdOYqxB", "R__drdOYqxB", "koi.R__drdOYqxB.full"),
        Row("LBI7cgq3pbM", "LBI7cgq3pbM", "photo.LBI7cgq3pbM.full"),
        Row("", "a1", "photo.a1.full"),
        Row("...", "a1", "photo.a1.full"),
        Row("../../etc/passwd", "a1", "etc-passwd.a1.full"),
        Row(#"C:\Windows\con"#, "a1", "c-windows-con.a1.full"),
        Row("a\u{0}b\u{1B}[31mc\nd\u{202E}e", "a1", "a-b-31mc-d-e.a1.full"),
        Row("--rf *", "a1", "rf.a1.full"),
        Row("Zürich, Großmünster", "a1", "zürich-großmünster.a1.full"),
        Row("Zu\u{308}rich", "a1", "z\u{FC}rich.a1.full"),
        Row("霧の湖", "a1", "霧の湖.a1.full"),
        Row("हिन्दी", "a1", "हिन्दी.a1.full"),
        Row("🏔️ lake 🏔️", "a1", "lake.a1.full"),
        Row("50% off — now!", "a1", "50-off-now.a1.full"),
        Row(String(repeating: "Ab-", count: 99), "a1", String(repeating: "ab-", count: 26) + "ab.a1.full"),
        Row(String(repeating: "a", count: 79) + "-b", "a1", String(repeating: "a", count: 79) + ".a1.full"),
        Row("-a" + String(repeating: "!", count: 400) + "b", "a1", "a.a1.full"),
        Row("lake", "-_x", "lake.-_x.full"),
        Row("lake", "../x", "lake.x~7132eda6838c62fa.full"),
        Row("lake", "", "lake.~cbf29ce484222325.full"),
        Row("lake", "a b", "lake.ab~e63f991904833892.full"),
        Row("a-b", "c", "a-b.c.full"),
        Row("a", "b-c", "a.b-c.full"),
        Row("con", "a1", "xcon.a1.full"),
        Row("LPT1.", "a1", "xlpt1.a1.full"),
        Row("console", "a1", "console.a1.full"),
        Row("lake", "ab-e63f991904833892", "lake.ab-e63f991904833892.full"),
    ])
    func `a name consists of words, identifier and variant`(row: Row) {
        #expect(FileName(words: row.words, id: row.id, variant: "full").description == row.name)
    }

    @Test(arguments: ["con", "NUL", "lpt1", "a/b", "..", ".hidden", "\u{FEFF}", String(repeating: "é", count: 4_000)])
    func `a name from hostile server data is safe`(text: String) {
        let name = FileName(words: text, id: text, variant: text).description
        #expect(name.utf8.count <= 200)
        #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && !name.isEmpty)
        #expect(!name.contains { "/\\:*?\"<>|\0".contains($0) })
        #expect(!["con", "nul", "lpt1"].contains(name.prefix { $0 != "." }.lowercased()))
        #expect(name.filter { $0 == "." }.count <= 2, "expected dots only between the parts")
    }

    @Test func `identifiers remain distinct if characters are removed`() {
        let ids = ["a/b", "a:b", "a b", "ab", "a\u{0}b"] + [65, 66].map { String(repeating: "x", count: $0) }
        #expect(Set(ids.map { FileName(words: "w", id: $0, variant: "v") }).count == ids.count)
    }

    @Test func `long words are truncated between characters`() {
        let name = FileName(words: String(repeating: "山", count: 100), id: "a1", variant: "raw").description
        #expect(name == String(repeating: "山", count: 26) + ".a1.raw")
    }

    @Test(.serialized, arguments: ProcessorTime.hostileUnits) func `the time for a name grows linearly`(unit: String)
        async throws
    {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            for (words, id) in [(text, "a1"), (text + "-a1", "a1"), ("lake", text), (text, text + "b")] {
                _ = FileName(words: words, id: id, variant: "full")
            }
        }
        #expect(growth <= 32)
    }
}

@Suite struct DownloadPlanTests {
    private func picture(_ id: String, _ variant: String = "raw") throws -> Picture {
        Picture(
            id: id, words: "w", variant: variant,
            url: try #require(URL(string: "http://127.0.0.1/\(id.utf8.count)")))
    }

    @Test func `a picture on two pages is planned once`() throws {
        var plan = DownloadPlan()
        let first = plan.entries(for: try [picture("a"), picture("b"), picture("a"), picture("a", "full")])
        #expect(first.map(\.name.description) == ["w.a.raw", "w.b.raw", "w.a.full"])
        #expect(plan.entries(for: try [picture("b"), picture("c"), picture("a")]).map(\.picture.id) == ["c"])
    }

    @Test func `identifiers that only look identical are two pictures`() throws {
        var plan = DownloadPlan()
        let entries = plan.entries(for: try [picture("\u{E9}"), picture("e\u{301}"), picture("\u{E9}")])
        #expect(entries.map { Array($0.picture.id.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
        #expect(Set(entries.map(\.name.description)).count == 2)
    }

    @Test func `names that differ only in case are made distinct`() throws {
        var plan = DownloadPlan()
        let entries = plan.entries(for: try [picture("ab"), picture("AB")]) + plan.entries(for: try [picture("Ab")])
        let names = entries.map(\.name.description)
        #expect(names.first == "w.ab.raw" && Set(names.map { $0.lowercased() }).count == 3)
    }
}
