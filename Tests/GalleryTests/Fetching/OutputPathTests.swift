import Foundation
import Testing
import gallery

@Suite struct OutputPathTests {
    @Test func `a path is unchanged unless it contains parent components`() throws {
        for path in ["gallery", "a b/ü%20x", "./x/", "/tmp/..x"] { #expect(try OutputPath.resolved(path) == path) }
        let folder = try TestFolder()
        let root = folder.url.path(percentEncoded: false)
        let files = FileManager.default
        try files.createDirectory(atPath: root + "/deep/inner", withIntermediateDirectories: true)
        try files.createDirectory(atPath: root + "/deep/out", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: root + "/link", withDestinationPath: "deep/inner")
        #expect(try OutputPath.resolved(root + "/link/../out").hasSuffix("/deep/out"))
        #expect(try OutputPath.resolved(root + "/link/../to/be/made/").hasSuffix("/deep/to/be/made"))
        #expect(try OutputPath.resolved("~/pictures") == "./~/pictures" && OutputPath.resolved("~x") == "./~x")
        #expect(
            try OutputPath.resolved(root + "/missing/../new") == URL(filePath: root + "/new").standardizedFileURL.path()
        )
    }
}
