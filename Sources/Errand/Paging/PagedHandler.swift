/// An API call that loads a list page by page.
///
/// ```swift
/// extension GalleryAPI: PagedHandler {}           // an array, and a `Link` header with rel="next"
///
/// for try await page in APILoader(GalleryAPI(environment: .production)).pages(from: GalleryQuery()) {
///     show(page.items)
/// }
/// ```
/// If the server numbers its pages and sends no links, specify the number to increase:
///
/// ```swift
/// extension ProductsAPI: PagedHandler {
///     var paging: PagingRule<ProductQuery> { .numbered(\.page) }
/// }
/// ```
/// If the response is an object, return its items and the next page:
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
    /// The type of the items in the list.
    associatedtype Item: Sendable

    /// Returns the items of a page, in order.
    func items(of page: ResponseDataType) -> [Item]

    /// The rule that finds the next page: ``PagingRule/link`` (the default) or page numbers.
    var paging: PagingRule<RequestDataType> { get }

    /// Returns the next page. By default, ``paging`` finds it.
    ///
    /// - Parameters:
    ///   - page: The loaded page.
    ///   - input: The input of the page. For a linked page, it is the input of the page with the link.
    /// - Returns: The next page.
    /// - Throws: An error if the response does not determine the next page. The loaded page is still delivered.
    func nextPage(
        after page: Loaded<ResponseDataType>, from input: RequestDataType
    ) throws -> NextPage<RequestDataType>

    /// Makes the request for a linked page. By default, this is the request for the input, with the URL of the link
    /// and the method GET (see ``PageLink/applied(to:)``).
    ///
    /// A handler that signs its requests implements this, so that each page is signed once:
    ///
    /// ```swift
    /// func makeRequest(to link: PageLink, from query: Query) throws -> URLRequest {
    ///     try sign(link.applied(to: unsignedRequest(for: query)))
    /// }
    /// ```
    /// - Parameters:
    ///   - link: The URL of the page.
    ///   - input: The input of the page with the link.
    /// - Returns: The request.
    /// - Throws: An error if the request can't be made.
    func makeRequest(to link: PageLink, from input: RequestDataType) throws -> URLRequest
}

extension PagedHandler {
    /// Returns the request for the input, with the URL of the link.
    public func makeRequest(to link: PageLink, from input: RequestDataType) throws -> URLRequest {
        try link.applied(to: makeRequest(from: input))
    }

    /// The `Link` header with `rel="next"` (RFC 8288).
    public var paging: PagingRule<RequestDataType> { .link }

    /// Returns the page that ``paging`` finds.
    public func nextPage(
        after page: Loaded<ResponseDataType>, from input: RequestDataType
    ) throws -> NextPage<RequestDataType> {
        try paging.next(input, items(of: page.value).count, page.head)
    }
}

extension PagedHandler where ResponseDataType: Sequence, Item == ResponseDataType.Element {
    /// Returns the elements of the response.
    public func items(of page: ResponseDataType) -> [Item] { Array(page) }
}
