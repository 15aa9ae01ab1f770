// `makeRequest(to:from:)` is not forwarded: its default uses `makeRequest(from:)` of the wrapping handler, which
// usually adds something that the wrapped handler does not know.

extension PagedHandler
where
    Self: WrappingHandler, Wrapped: PagedHandler, RequestDataType == Wrapped.RequestDataType,
    ResponseDataType == Wrapped.ResponseDataType
{
    /// The rule of the wrapped handler.
    public var paging: PagingRule<Wrapped.RequestDataType> { wrapped.paging }

    /// The next page of the wrapped handler.
    public func nextPage(
        after page: Loaded<Wrapped.ResponseDataType>, from input: Wrapped.RequestDataType
    ) throws -> NextPage<Wrapped.RequestDataType> {
        try wrapped.nextPage(after: page, from: input)
    }
}

extension PagedHandler
where
    Self: WrappingHandler, Wrapped: PagedHandler, ResponseDataType == Wrapped.ResponseDataType, Item == Wrapped.Item
{
    /// The items of the wrapped handler.
    public func items(of page: Wrapped.ResponseDataType) -> [Wrapped.Item] { wrapped.items(of: page) }
}

// Without this extension, `items(of:)` of a wrapped sequence is ambiguous: the default for sequences matches too.

extension PagedHandler
where
    Self: WrappingHandler, Wrapped: PagedHandler, ResponseDataType == Wrapped.ResponseDataType, Item == Wrapped.Item,
    ResponseDataType: Sequence, Item == ResponseDataType.Element
{
    /// The items of the wrapped handler.
    public func items(of page: Wrapped.ResponseDataType) -> [Wrapped.Item] { wrapped.items(of: page) }
}
