public import Errand

/// A topic to which editors assign photos.
public struct Topic: Sendable, Hashable, Identifiable, Codable {
    /// The topic's identifier.
    @StringID public var id: String
    /// The topic's name.
    public var title: String
    /// The slug, which is part of URLs.
    public var slug: String
    /// The visibility, such as `featured`.
    public var visibility: String?
}

/// The decision of a topic's editors about a photo.
public struct TopicSubmission: Sendable, Hashable {
    /// A decision.
    public enum Status: String, Sendable, Hashable {
        /// The photo is part of the topic.
        case approved
        /// The photo is not part of the topic.
        case rejected
        /// The decision is pending.
        case unevaluated
    }

    /// The decision. The server may send other values than these three.
    public var status: OpenEnum<Status>?
    /// The date of the approval.
    public var approvedOn: Date?
}

extension TopicSubmission: Codable {
    private enum CodingKeys: String, CodingKey {
        case status
        case approvedOn = "approved_on"
    }
}
