/// A call whose answers are the pages of a list.
///
/// ```swift
/// extension GalleryAPI: PagedHandler {}           // an array, and a `Link` field with rel="next"
///
/// for try await page in APILoader(GalleryAPI(environment: .production)).pages(from: GalleryQuery()) {
///     show(page.items)
/// }
/// ```
/// If the server counts pages and sends no links, name the number to increase:
///
/// ```swift
/// extension ProductsAPI: PagedHandler {
///     var paging: PagingRule<ProductQuery> { .numbered(\.page) }
/// }
/// ```
/// Where the answer is an object, say what is on it, and where it goes on:
///
/// ```swift
/// extension UserSearch: PagedHandler {            // {"users": […], "cursor": "…"}
///     func items(of page: Users) -> [User] { page.users }
///
///     func nextPage(after page: Loaded<Users>, from query: UserQuery) -> NextPage<UserQuery> {
///         page.value.cursor.map { .input(UserQuery(text: query.text, cursor: $0)) } ?? .end
///     }
/// }
/// ```
public protocol PagedHandler: APIHandler {
    /// What the list is made of.
    associatedtype Item: Sendable

    /// What is on a page, in its order.
    func items(of page: ResponseDataType) -> [Item]

    /// The rule that finds the next page: ``PagingRule/link`` (the default) or page numbers.
    var paging: PagingRule<RequestDataType> { get }

    /// The next page. By default ``paging`` finds it.
    ///
    /// - Parameters:
    ///   - page: The page that was read.
    ///   - input: What it was asked for with; of a page that a link names, what the page with that link was given.
    /// - Returns: The next page's place.
    /// - Throws: Where the answer does not tell; the page itself is given all the same.
    func nextPage(
        after page: Loaded<ResponseDataType>, from input: RequestDataType
    ) throws -> NextPage<RequestDataType>

    /// Makes the request of a page that a link names: by default the input's own, with that address and with GET.
    ///
    /// A handler that signs its requests implements this, so that each page is signed once:
    ///
    /// ```swift
    /// func makeRequest(to link: PageLink, from query: Query) throws -> URLRequest {
    ///     try sign(link.applied(to: unsignedRequest(for: query)))
    /// }
    /// ```
    /// - Parameters:
    ///   - link: The page's address.
    ///   - input: What the page with that link was given.
    /// - Returns: The request.
    /// - Throws: Where it can't be made.
    func makeRequest(to link: PageLink, from input: RequestDataType) throws -> URLRequest
}

extension PagedHandler {
    /// The input's own request with the link's address.
    public func makeRequest(to link: PageLink, from input: RequestDataType) throws -> URLRequest {
        try link.applied(to: makeRequest(from: input))
    }

    /// The `Link` header with `rel="next"` (RFC 8288).
    public var paging: PagingRule<RequestDataType> { .link }

    /// The page that ``paging`` finds.
    public func nextPage(
        after page: Loaded<ResponseDataType>, from input: RequestDataType
    ) throws -> NextPage<RequestDataType> {
        try paging.next(input, items(of: page.value).count, page.head)
    }
}

extension PagedHandler where ResponseDataType: Sequence, Item == ResponseDataType.Element {
    /// The answer itself.
    public func items(of page: ResponseDataType) -> [Item] { Array(page) }
}
