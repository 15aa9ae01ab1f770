import Errand

/// The result for a picture, as printed by `--json`.
struct PictureRecord: Encodable {
    enum Status: String, Encodable {
        case fetched, present, failed
    }

    let id: String
    let title: String
    let photographer: String
    let file: String?
    let status: Status
    let bytes: Int
    let error: String?

    private enum CodingKeys: String, CodingKey {
        case id, title, photographer, file, status, bytes, error
    }

    /// Returns the record of an invalid photo, which has only a reason.
    static func unreadable(_ reason: String) -> PictureRecord {
        PictureRecord(id: "", title: "", photographer: "", file: nil, status: .failed, bytes: 0, error: reason)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(title, forKey: .title)
        try members.encode(photographer, forKey: .photographer)
        // Encodes null for a missing file.
        try members.encode(file, forKey: .file)
        try members.encode(status, forKey: .status)
        try members.encode(bytes, forKey: .bytes)
        try members.encodeIfPresent(error, forKey: .error)
    }

    /// The object on one line.
    var line: String { JSONLine.text(self) }
}
