import Errand
import Testing

/// Checks that the documents quote only code that is compiled. The other tests of this target run it.
@Suite struct DocumentTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The paths of the README and of all pages in the catalogs of the libraries.
    static let documents: [String] = {
        let catalogs = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)
        let pages = (catalogs?.compactMap { $0 as? String } ?? []).filter {
            $0.contains(".docc/") && $0.hasSuffix(".md")
        }
        return ["README.md"] + pages.map { "Sources/" + $0 }.sorted()
    }()

    /// The Swift files below a folder.
    private static func sources(below path: String) throws -> [(path: String, text: String)] {
        let folder = root.appending(path: path)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map { ($0, try text(folder.appending(path: $0))) }
    }

    /// The files that documents quote. The package also compiles `Examples/Recipes` with the settings of a new app.
    private static let recipes: Result<[String], any Error> = Result {
        let own = try sources(below: "Examples/Recipes").filter { !$0.path.hasPrefix("Tests/") }
        return (own + (try sources(below: "Examples/Ecosystem/Recipes"))).map(\.text)
    }

    @Test func `all seven catalogs are checked`() {
        let catalogs = Set(Self.documents.dropFirst().map { $0.split(separator: "/")[1] })
        #expect(
            catalogs == [
                "Errand", "ErrandGraphQL", "ErrandJSON", "ErrandLoopback", "ErrandTesting", "ErrandValkey",
                "GalleryCore",
            ])
        #expect(Self.documents.count >= 25)
    }

    @Test(arguments: documents) func `each Swift sample is part of a recipe`(document: String) throws {
        let recipes = try Self.recipes.get()
        for sample in try Self.samples(of: document) {
            #expect(recipes.contains { Self.isPart(sample, of: $0) }, "\(sample)")
        }
    }

    @Test(arguments: ["logging-metrics-and-traces", "using-other-http-packages"])
    func `a sample for another package has at most 25 lines`(article: String) throws {
        let samples = try Self.samples(of: "Sources/Errand/Errand.docc/\(article).md")
        #expect(samples.count >= 5)
        for sample in samples { #expect(sample.split(separator: "\n").count <= 25, "\(sample)") }
    }

    @Test func `each function of a recipe is called`() throws {
        let all = try (Self.sources(below: "Examples/Recipes") + Self.sources(below: "Examples/Ecosystem"))
            .map(\.text).joined()
        for match in all.matches(of: /^func (\w+)/.anchorsMatchLineEndings()) {
            let isCalled = all.ranges(of: "\(match.1)(").count > all.ranges(of: "func \(match.1)(").count
            #expect(isCalled, "\(match.1)")
        }
    }

    @Test(arguments: documents) func `each link to a file has a target`(document: String) throws {
        let page = Self.root.appending(path: document)
        for match in try Self.text(page).matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains(":") {
            let file = page.deletingLastPathComponent().appending(path: String(match.1.prefix { $0 != "#" }))
            #expect(FileManager.default.fileExists(atPath: file.standardizedFileURL.path), "\(match.1)")
        }
    }

    /// The Swift samples of a document, without lines of a package manifest, which a recipe cannot contain.
    private static func samples(of document: String) throws -> [String] {
        try text(root.appending(path: document)).components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
            .filter { !$0.contains("package: ") && !$0.contains(".package(") }
    }

    /// Whether a recipe contains the lines of a sample without a gap. Spacing and blank lines are ignored.
    private static func isPart(_ sample: String, of recipe: String) -> Bool {
        "\n\(lines(recipe))\n".contains("\n\(lines(sample))\n")
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
