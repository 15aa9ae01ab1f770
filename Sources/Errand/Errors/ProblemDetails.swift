import ErrandSupport

/// The standard format for errors of a server, with the media type `application/problem+json` (RFC 9457, section 3).
///
/// Every member is optional. A member of the wrong type is ignored, as section 3.1 requires.
public struct ProblemDetails: Error, Sendable, Hashable {
    /// A URI reference that identifies the kind of problem. If `nil`, it is `about:blank`.
    public let type: String?
    /// A short summary of the kind of problem.
    public let title: String?
    /// The status code according to the body.
    public let status: Int?
    /// An explanation of this occurrence.
    public let detail: String?
    /// A URI reference that identifies this occurrence.
    public let instance: String?
}

extension ProblemDetails: Decodable {
    private enum CodingKeys: String, CodingKey { case type, title, status, detail, instance }

    /// Decodes the members that have the expected type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try? members.decode(String.self, forKey: .type)
        title = try? members.decode(String.self, forKey: .title)
        status = try? members.decode(Int.self, forKey: .status)
        detail = try? members.decode(String.self, forKey: .detail)
        instance = try? members.decode(String.self, forKey: .instance)
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// The title and the detail on one line, without control characters.
    public var description: String {
        message?.singleLine() ?? ""
    }
}
