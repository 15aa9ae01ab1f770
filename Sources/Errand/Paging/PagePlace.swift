/// A page of a walk that is still to be read: what ``Pages/Page/next`` gives, and a later walk goes on from.
///
/// ```swift
/// let place = try JSONDecoder().decode(PagePlace<GalleryQuery>.self, from: saved)
/// for try await page in loader.pages(from: place) { … }
/// ```
/// Its stored form has the input and the address as they are, which may be secrets; its description has neither.
public struct PagePlace<Input: Sendable>: Sendable {
    /// What the call is given; of a page that a link names, what the page with that link was given.
    public let input: Input
    /// The address that the server named; nil where the input alone leads there.
    public let link: URL?
    /// Which page of the walk it is, from 1.
    public let number: Int
    /// The pages before it in this walk; a walk that goes on from here later begins without them.
    let past: PastPages

    /// Names the first page of a walk.
    public init(_ input: Input) {
        self.init(input, link: nil, number: 1, past: PastPages())
    }

    init(_ input: Input, link: URL?, number: Int, past: PastPages) {
        self.input = input
        self.link = link
        self.number = number
        self.past = past
    }

    /// The same page as the first of a walk of its own.
    var start: PagePlace { PagePlace(input, link: link, number: number, past: PastPages()) }
}

private enum PagePlaceKeys: String, CodingKey { case input, link, number }

extension PagePlace: Encodable where Input: Encodable {
    /// Encodes input, address and number.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PagePlaceKeys.self)
        try members.encode(input, forKey: .input)
        try members.encodeIfPresent(link, forKey: .link)
        try members.encode(number, forKey: .number)
    }
}

extension PagePlace: Decodable where Input: Decodable {
    /// Decodes input, address and number.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: PagePlaceKeys.self)
        self.init(
            try members.decode(Input.self, forKey: .input), link: try members.decodeIfPresent(URL.self, forKey: .link),
            number: try members.decode(Int.self, forKey: .number), past: PastPages())
    }
}

extension PagePlace: Equatable where Input: Equatable {
    /// Whether they lead to the same page.
    public static func == (one: PagePlace, other: PagePlace) -> Bool {
        one.input == other.input && one.link == other.link && one.number == other.number
    }
}

extension PagePlace: Hashable where Input: Hashable {
    /// Hashes what leads to the page.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(input)
        hasher.combine(link)
        hasher.combine(number)
    }
}

extension PagePlace: CustomStringConvertible, CustomReflectable {
    /// The number, and an address without what it may hide.
    public var description: String {
        "page \(number)" + (link.map { " at \(Redaction.standard.address($0))" } ?? "")
    }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
