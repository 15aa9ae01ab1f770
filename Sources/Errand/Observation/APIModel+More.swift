@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
    /// A rule for loading more of a list: finds the next input, and joins its value to the shown value.
    ///
    /// ```swift
    /// let model = APIModel(loader, more: .numbered(\.page))
    /// ```
    /// The closures run on the main actor and should return quickly.
    public struct More: Sendable {
        /// The input of the API call.
        public typealias Input = T.RequestDataType
        /// Returns the next input from the last input and its response, or `nil` at the end. If it throws, the next
        /// ``APIModel/loadMore()`` fails with the error.
        public typealias Next = @Sendable (_ last: Input, _ loaded: Loaded<Value>) throws -> Input?
        /// Returns the value to show, from the shown value and the value of the next input.
        public typealias Join = @Sendable (_ shown: Value, _ page: Value) -> Value

        package let next: Next
        package let join: Join
        /// The maximum number of pages. If `nil`, only `next` limits it.
        package let policy: PagingPolicy?

        /// Creates a custom rule, such as one that follows a cursor in the response.
        /// - Parameters:
        ///   - next: Returns the next input. It receives only the last response, not the joined value.
        ///   - join: Returns the value to show.
        public init(next: @escaping Next, join: @escaping Join) {
            self.init(policy: nil, next: next, join: join)
        }

        init(policy: PagingPolicy?, next: @escaping Next, join: @escaping Join) {
            self.policy = policy
            self.next = next
            self.join = join
        }

        /// Page numbers, until a page is empty or a `Link` header has no next page. See ``PagingRule``.
        ///
        /// - Parameters:
        ///   - page: The number in the input. `nil` counts as the first page, 1.
        ///   - size: The number of items on a full page. A shorter page is the last one. By default, it is unknown.
        ///   - policy: The maximum number of pages. By default, more than ``PagingPolicy/maximumPages`` are an error.
        ///   - count: Returns the number of items on a page.
        ///   - join: Returns the value to show.
        /// - Returns: The rule.
        public static func numbered(
            _ page: any WritableKeyPath<Input, Int?> & Sendable, size: Int? = nil,
            policy: PagingPolicy = PagingPolicy(),
            count: @escaping @Sendable (Value) -> Int, join: @escaping Join
        ) -> Self {
            Self(.numbered(page, size: size), policy, count, join)
        }

        /// Page numbers that are never `nil`. Otherwise the same as the rule for an optional number.
        public static func numbered(
            _ page: any WritableKeyPath<Input, Int> & Sendable, size: Int? = nil, policy: PagingPolicy = PagingPolicy(),
            count: @escaping @Sendable (Value) -> Int, join: @escaping Join
        ) -> Self {
            Self(.numbered(page, size: size), policy, count, join)
        }

        private init(
            _ rule: PagingRule<Input>, _ policy: PagingPolicy, _ count: @escaping @Sendable (Value) -> Int,
            _ join: @escaping Join
        ) {
            let next: Next = { last, loaded in
                guard case .input(let input) = try rule.next(last, count(loaded.value), loaded.head) else { return nil }
                return input
            }
            self.init(policy: policy, next: next, join: join)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel.More {
    /// This rule, with the position of a page as its input.
    var byPosition: LoadRule<PagePosition<T.RequestDataType>, T.ResponseDataType> {
        LoadRule(
            policy: policy, next: { position, loaded in try next(position.input, loaded).map { PagePosition($0) } },
            join: join)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel.More where T.ResponseDataType: RangeReplaceableCollection {
    /// Page numbers of a list. Each page is appended, until one is empty or a `Link` header has no next page. See
    /// ``PagingRule``.
    ///
    /// - Parameters:
    ///   - page: The number in the input. `nil` counts as the first page, 1.
    ///   - size: The number of items on a full page. A shorter page is the last one. By default, it is unknown.
    ///   - policy: The maximum number of pages. By default, more than ``PagingPolicy/maximumPages`` are an error.
    ///   - join: Returns the list to show. By default, the page is appended.
    /// - Returns: The rule.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int?> & Sendable, size: Int? = nil, policy: PagingPolicy = PagingPolicy(),
        join: @escaping Join = { shown, answer in shown + answer }
    ) -> Self {
        numbered(page, size: size, policy: policy, count: \.count, join: join)
    }

    /// Page numbers of a list that are never `nil`. Otherwise the same as the rule for an optional number.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int> & Sendable, size: Int? = nil, policy: PagingPolicy = PagingPolicy(),
        join: @escaping Join = { shown, answer in shown + answer }
    ) -> Self {
        numbered(page, size: size, policy: policy, count: \.count, join: join)
    }
}
