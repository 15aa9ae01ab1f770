/// The result for a file, as printed by `gallery upload --json`.
struct UploadRecord: Encodable {
    enum Status: String, Encodable {
        case uploaded, failed
    }

    let file: String
    let status: Status
    let bytes: Int
    let id: String?
    let address: String?
    let error: String?

    private enum CodingKeys: String, CodingKey {
        case file, status, bytes, id, address, error
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(file, forKey: .file)
        try members.encode(status, forKey: .status)
        try members.encode(bytes, forKey: .bytes)
        // Encodes null for a missing identifier or URL.
        try members.encode(id, forKey: .id)
        try members.encode(address, forKey: .address)
        try members.encodeIfPresent(error, forKey: .error)
    }

    /// The object on one line.
    var line: String { JSONLine.text(self) }
}
