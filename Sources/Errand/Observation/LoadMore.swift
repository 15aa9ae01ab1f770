/// How a list goes on: what to ask for next, and how the answer joins what is shown.
///
/// ```swift
/// let model = APIModel(loader, more: .numbered(\.page))
/// ```
/// The closures run on the main actor: they should be quick.
public struct LoadMore<Input: Sendable, Value: Sendable>: Sendable {
    /// The next input, from the last one and its answer; nil is the end. What it throws is why there is no more, when
    /// somebody asks for it.
    public typealias Next = @Sendable (_ last: Input, _ answer: Loaded<Value>) throws -> Input?
    /// The value to show, from the one that is shown and the answer that came for more.
    public typealias Join = @Sendable (_ shown: Value, _ answer: Value) -> Value

    package let next: Next
    package let join: Join

    /// Makes a rule of your own, such as one that follows a cursor in the answer.
    /// - Parameters:
    ///   - next: What to ask for next. It gets the last answer alone, not what it was joined to.
    ///   - join: What is shown then.
    public init(next: @escaping Next, join: @escaping Join) {
        self.next = next
        self.join = join
    }

    /// Page numbers: the next one as long as the answer's `Link` field names a `next` page (RFC 8288).
    ///
    /// The link's address itself is not asked. A page that is nil counts as the first, 1.
    public static func numbered(_ page: any WritableKeyPath<Input, Int?> & Sendable, join: @escaping Join) -> Self {
        numbered(join: join) { $0[keyPath: page] = $1($0[keyPath: page] ?? 1) }
    }

    /// Page numbers that are never nil; otherwise as ``numbered(_:join:)``.
    public static func numbered(_ page: any WritableKeyPath<Input, Int> & Sendable, join: @escaping Join) -> Self {
        numbered(join: join) { $0[keyPath: page] = $1($0[keyPath: page]) }
    }

    private static func numbered(
        join: @escaping Join, turn: @escaping @Sendable (inout Input, (Int) -> Int) -> Void
    ) -> Self {
        Self(
            next: { last, answer in
                if case .end = try NextPage<Input>.link(in: answer.head) { return nil }
                var next = last
                var isLast = false
                turn(&next) { number in
                    isLast = number == Int.max
                    return isLast ? number : number + 1
                }
                return isLast ? nil : next
            }, join: join)
    }
}

extension LoadMore where Value: RangeReplaceableCollection {
    /// Page numbers of a plain list: each page is appended, until the `Link` field names no `next` page (RFC 8288).
    public static func numbered(_ page: any WritableKeyPath<Input, Int?> & Sendable) -> Self {
        numbered(page) { shown, answer in shown + answer }
    }

    /// Page numbers that are never nil, of a plain list: each page is appended, until the `Link` field names no `next`
    /// page (RFC 8288).
    public static func numbered(_ page: any WritableKeyPath<Input, Int> & Sendable) -> Self {
        numbered(page) { shown, answer in shown + answer }
    }
}
