import Errand
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadAPITests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: PictureFormat.allCases)
    func `the form has the picture with its type and the description`(format: PictureFormat) throws {
        let file = try folder.file(SamplePicture.data(format), name: "lake.dat")
        let upload = try PictureUpload(file, description: "Misty lake")
        let call = UploadAPI(environment: .development(at: "http://h.test/v2"), accessKey: Secret("k3y"))
        let request = try call.makeRequest(from: upload)
        #expect(request.httpMethod == "POST" && request.url?.absoluteString == "http://h.test/v2/photos")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Client-ID k3y")
        guard case .multipart(let form) = call.body(for: upload) else {
            Issue.record("expected a multipart body")
            return
        }
        #expect(form.parts.map(\.name) == ["description", "picture"])
        #expect(form.parts.first?.content == .text("Misty lake"))
        #expect(form.parts.last?.content == .file(file) && form.parts.last?.fileName == "lake.dat")
        #expect(form.parts.last?.contentType == "image/\(format.rawValue)")
        #expect(upload.format == format && upload.bytes == Int64(SamplePicture.data(format).count))
    }

    @Test func `a form without a description has one part`() throws {
        let upload = try PictureUpload(try folder.file(SamplePicture.png))
        let body = UploadAPI(environment: .development(at: "http://h.test")).body(for: upload)
        guard case .multipart(let form) = body else {
            Issue.record("expected a multipart body")
            return
        }
        #expect(form.parts.map(\.name) == ["picture"])
    }

    @Test(arguments: [GalleryEnvironment.production, .staging(at: "https://h.test")])
    func `other environments than development have no uploads`(environment: GalleryEnvironment) throws {
        let upload = try PictureUpload(try folder.file(SamplePicture.png))
        let call = UploadAPI(environment: environment, accessKey: Secret("k3y"))
        let error = try #require(throws: ServiceError.self) { try call.makeRequest(from: upload) }
        #expect(error.code == .configuration)
        #expect(
            error.reason
                == "expected the environment development, found \(environment.name): the Unsplash API has no uploads")
    }

    @Test func `a file that is not a picture is an error`() throws {
        let large = try folder.file(SamplePicture.png, name: "large")
        let handle = try FileHandle(forWritingTo: large)
        try handle.truncate(atOffset: UInt64(PictureUpload.sizeLimit) + 1)
        try handle.close()
        let rows = [
            (try folder.file(Data("text".utf8), name: "text"), "found another file"),
            (try folder.file(Data(), name: "empty"), "found another file"), (large, "found 20000001 bytes"),
            (folder.url.appending(path: "missing"), "no such file or folder"), (folder.url, "found a folder"),
            (try folder.pipe(), "a pipe"),
        ]
        for (file, reason) in rows {
            let error = try #require(throws: ServiceError.self) { try PictureUpload(file) }
            #expect(error.code == .encoding && error.reason.contains(reason), "\(error.reason)")
        }
    }

    @Test func `a picture of the maximum size is accepted`() throws {
        let file = try folder.file(SamplePicture.png, name: "large")
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(PictureUpload.sizeLimit))
        try handle.close()
        #expect(try PictureUpload(file).bytes == 20_000_000)
    }
}
