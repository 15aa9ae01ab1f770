@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel {
    /// How a list goes on: what to ask for next, and how the answer joins what is shown.
    ///
    /// ```swift
    /// let model = APIModel(loader, more: .numbered(\.page))
    /// ```
    /// The closures run on the main actor: they should be quick.
    public struct More: Sendable {
        /// The input of a call.
        public typealias Input = T.RequestDataType
        /// The next input, from the last one and its answer; nil is the end. What it throws is why there is no more, when
        /// somebody asks for it.
        public typealias Next = @Sendable (_ last: Input, _ answer: Loaded<Value>) throws -> Input?
        /// The value to show, from the one that is shown and the answer that came for more.
        public typealias Join = @Sendable (_ shown: Value, _ answer: Value) -> Value

        package let next: Next
        package let join: Join
        /// The limit of pages. `nil` if `next` itself bounds them.
        package let policy: PagingPolicy?

        /// Makes a rule of your own, such as one that follows a cursor in the answer.
        /// - Parameters:
        ///   - next: What to ask for next. It gets the last answer alone, not what it was joined to.
        ///   - join: What is shown then.
        public init(next: @escaping Next, join: @escaping Join) {
            self.init(policy: nil, next: next, join: join)
        }

        init(policy: PagingPolicy?, next: @escaping Next, join: @escaping Join) {
            self.policy = policy
            self.next = next
            self.join = join
        }

        /// Page numbers, as ``PagingRule`` counts them: until a page is empty, or as a `Link` header says.
        ///
        /// - Parameters:
        ///   - page: The number in the input. `nil` counts as the first page, 1.
        ///   - size: The number of items on a full page. A shorter page is the last one. By default it is unknown.
        ///   - policy: How many pages at most. By default more than ``PagingPolicy/mostPages`` are an error.
        ///   - count: The number of items on a page.
        ///   - join: The value to show.
        /// - Returns: The rule.
        public static func numbered(
            _ page: any WritableKeyPath<Input, Int?> & Sendable, size: Int? = nil,
            policy: PagingPolicy = PagingPolicy(),
            count: @escaping @Sendable (Value) -> Int, join: @escaping Join
        ) -> Self {
            Self(.numbered(page, size: size), policy, count, join)
        }

        /// Page numbers that are never `nil`. Otherwise as the rule for an optional number.
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
            let next: Next = { last, answer in
                guard case .input(let input) = try rule.next(last, count(answer.value), answer.head) else { return nil }
                return input
            }
            self.init(policy: policy, next: next, join: join)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel.More {
    /// This rule, with the position of a page as its input.
    var byPlace: LoadRule<PagePlace<T.RequestDataType>, T.ResponseDataType> {
        LoadRule(
            policy: policy, next: { place, answer in try next(place.input, answer).map { PagePlace($0) } }, join: join)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APIModel.More where T.ResponseDataType: RangeReplaceableCollection {
    /// Page numbers of a plain list: each page is appended, until one is empty, or as a `Link` header says
    /// (``PagingRule``).
    ///
    /// - Parameters:
    ///   - page: The number in the input. `nil` counts as the first page, 1.
    ///   - size: The number of items on a full page. A shorter page is the last one. By default it is unknown.
    ///   - policy: How many pages at most. By default more than ``PagingPolicy/mostPages`` are an error.
    ///   - join: The list to show. By default the page is appended.
    /// - Returns: The rule.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int?> & Sendable, size: Int? = nil, policy: PagingPolicy = PagingPolicy(),
        join: @escaping Join = { shown, answer in shown + answer }
    ) -> Self {
        numbered(page, size: size, policy: policy, count: \.count, join: join)
    }

    /// Page numbers that are never `nil`, of a plain list. Otherwise as the rule for an optional number.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int> & Sendable, size: Int? = nil, policy: PagingPolicy = PagingPolicy(),
        join: @escaping Join = { shown, answer in shown + answer }
    ) -> Self {
        numbered(page, size: size, policy: policy, count: \.count, join: join)
    }
}
