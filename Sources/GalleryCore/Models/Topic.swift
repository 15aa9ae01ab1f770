public import Errand

/// A topic that editors collect photos under.
public struct Topic: Sendable, Hashable, Identifiable, Codable {
    /// The topic's identifier.
    @StringID public var id: String
    /// The topic's name.
    public var title: String
    /// The name in addresses.
    public var slug: String
    /// Who sees it: `featured`, for example.
    public var visibility: String?
}

/// What a topic's editors decided about a photo.
public struct TopicSubmission: Sendable, Hashable {
    /// A decision.
    public enum Status: String, Sendable, Hashable {
        /// The photo is part of the topic.
        case approved
        /// It is not.
        case rejected
        /// Nobody has decided yet.
        case unevaluated
    }

    /// The decision; the server may know more than three.
    public var status: OpenEnum<Status>?
    /// When it was approved.
    public var approvedOn: Date?
}

extension TopicSubmission: Codable {
    private enum CodingKeys: String, CodingKey {
        case status
        case approvedOn = "approved_on"
    }
}
