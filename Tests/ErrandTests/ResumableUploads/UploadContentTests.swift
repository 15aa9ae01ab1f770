import Errand
import Foundation
import TestSupport
import Testing

@Suite struct UploadContentTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(arguments: [0..<1_000_000, 0..<1, 999_999..<1_000_000, 262_143..<800_001, 5..<5] as [Range<Int64>])
    func `a part of a file has its bytes, in small chunks`(range: Range<Int64>) async throws {
        let film = try folder.film(1_000_000)
        let part = try UploadContent(.file(film.file)).part(range)
        var bytes = Data()
        for try await chunk in part.chunks {
            #expect(chunk.count <= 262_144)
            bytes += chunk
        }
        #expect(bytes == film.bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        #expect(try part.length() == range.upperBound - range.lowerBound && part.isReplayable)
    }

    @Test func `the complete file is sent as a file`() throws {
        let film = try folder.film(10)
        #expect(try UploadContent(.file(film.file)).part(0..<10) == .file(film.file))
    }

    @Test func `a changed file is an error`() async throws {
        let film = try folder.film(10)
        let content = try UploadContent(.file(film.file))
        let part = try content.part(2..<10)
        _ = try folder.film(4)
        await #expect(throws: ServiceError.self) { for try await _ in part.chunks {} }
        #expect(throws: ServiceError.self) { try content.part(2..<10) }
        _ = try folder.film(10, seed: 1)
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: film.file.path)
        #expect(throws: ServiceError.self) { try content.part(2..<10) }
    }

    @Test func `the identity covers both ends of a file`() throws {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        let bytes = try folder.film(300_000).bytes
        func identity(_ index: Int?) throws -> UploadContent.Identity {
            var bytes = bytes
            if let index { bytes[index] ^= 1 }
            let file = try folder.file(bytes)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            return try UploadContent(.file(file)).identity
        }
        let plain = try identity(nil)
        #expect(try identity(nil) == plain && plain.modified == 1_000_000_000_000)
        for index in [0, 65_535, 299_999, 234_464] { #expect(try identity(index) != plain) }
    }

    @Test func `a stream and a missing body are errors`() throws {
        for body in [RequestBody.none, .stream(once: AsyncParts([])), .multipart(["a": "b"])] {
            let error = #expect(throws: ServiceError.self) { try UploadContent(body) }
            #expect(error?.code == .configuration)
        }
        let error = #expect(throws: ServiceError.self) { try UploadContent(.file(folder.url)) }
        #expect(error?.code == .encoding)
    }
}
