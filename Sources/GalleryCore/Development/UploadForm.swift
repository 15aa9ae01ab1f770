internal import Errand
internal import ErrandLoopback
import ErrandSupport

/// The content of an upload: the part `picture`, which is a file, and the optional part `description`.
struct UploadForm: Sendable {
    /// The maximum length of a description in bytes of UTF-8.
    private static let descriptionLimit = 2_000
    /// The maximum length of a file name in bytes of UTF-8, as in most file systems.
    private static let fileNameLimit = 255

    let picture: Data
    let format: PictureFormat
    let fileName: String
    let description: String?

    /// Parses a request.
    ///
    /// - Throws: ``Refusal`` with status 400, 413 or 415.
    init(_ request: LoopbackRequest) throws(Refusal) {
        guard let parts = request.parts else { throw Refusal(400, "expected a valid multipart/form-data body") }
        guard parts.allSatisfy({ ["picture", "description"].contains($0.name) }) else {
            throw Refusal(400, "unknown form field: expected picture and description")
        }
        description = try Self.description(parts.filter { $0.name == "description" })
        let pictures = parts.filter { $0.name == "picture" }
        guard let part = pictures.first, pictures.count == 1, let name = part.fileName else {
            throw Refusal(400, "expected one form field picture with a file")
        }
        guard !name.isEmpty, name.utf8.count <= Self.fileNameLimit else {
            throw Refusal(400, "the file name is empty or longer than \(Self.fileNameLimit) bytes")
        }
        guard part.body.count <= PictureUpload.sizeLimit else {
            throw Refusal(413, "the picture is larger than \(PictureUpload.sizeLimit) bytes")
        }
        guard let format = PictureFormat(of: part.body) else {
            throw Refusal(415, "the file is not a \(PictureFormat.names) picture")
        }
        picture = part.body
        self.format = format
        fileName = Self.decoded(name)
    }

    private static func description(_ parts: [LoopbackRequest.Part]) throws(Refusal) -> String? {
        guard let part = parts.first else { return nil }
        guard parts.count == 1, part.fileName == nil, part.body.count <= descriptionLimit,
            let text = String(validUTF8: part.body)
        else {
            throw Refusal(400, "expected one description in UTF-8 of at most \(descriptionLimit) bytes")
        }
        return text.isEmpty ? nil : text
    }

    /// Reverts the escapes of a file name in a form.
    private static func decoded(_ name: String) -> String {
        name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}
