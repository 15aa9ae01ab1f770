/// The position of a page in a list. A page sequence provides it as ``Pages/Page/next``, and a later one can start
/// from it.
///
/// ```swift
/// let position = try JSONDecoder().decode(PagePosition<GalleryQuery>.self, from: saved)
/// for try await page in loader.pages(from: position) { … }
/// ```
/// The encoded form contains the unredacted input and URL, which may be secrets. The description contains no input
/// and redacts the URL.
public struct PagePosition<Input: Sendable>: Sendable {
    /// The input of the API call. For a linked page, it is the input of the page with the link.
    public let input: Input
    /// The URL that the server provided. `nil` if the input alone determines the page.
    public let link: URL?
    /// The number of the page in the list, from 1.
    public let number: Int
    /// The earlier pages of this sequence. A later sequence that starts here begins without them.
    let past: LoadedPages

    /// Creates the position of the first page.
    public init(_ input: Input) {
        self.init(input, link: nil, number: 1, past: LoadedPages())
    }

    init(_ input: Input, link: URL?, number: Int, past: LoadedPages) {
        self.input = input
        self.link = link
        self.number = number
        self.past = past
    }

    /// The same page as the start of a new sequence.
    var start: PagePosition { PagePosition(input, link: link, number: number, past: LoadedPages()) }
}

private enum PagePositionKeys: String, CodingKey { case input, link, number }

extension PagePosition: Encodable where Input: Encodable {
    /// Encodes the input, the URL and the number.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PagePositionKeys.self)
        try members.encode(input, forKey: .input)
        try members.encodeIfPresent(link, forKey: .link)
        try members.encode(number, forKey: .number)
    }
}

extension PagePosition: Decodable where Input: Decodable {
    /// Decodes the input, the URL and the number.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: PagePositionKeys.self)
        self.init(
            try members.decode(Input.self, forKey: .input), link: try members.decodeIfPresent(URL.self, forKey: .link),
            number: try members.decode(Int.self, forKey: .number), past: LoadedPages())
    }
}

extension PagePosition: Equatable where Input: Equatable {
    /// Returns whether two positions lead to the same page.
    public static func == (one: PagePosition, other: PagePosition) -> Bool {
        one.input == other.input && one.link == other.link && one.number == other.number
    }
}

extension PagePosition: Hashable where Input: Hashable {
    /// Hashes the input, the URL and the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(input)
        hasher.combine(link)
        hasher.combine(number)
    }
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
    /// The number, and the redacted URL of a linked page.
    public var description: String {
        "page \(number)" + (link.map { " at \(Redaction.standard.url($0))" } ?? "")
    }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
