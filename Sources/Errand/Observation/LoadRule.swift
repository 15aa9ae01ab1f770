/// A rule that finds the next page of a list, for any input type.
package struct LoadRule<Input: Sendable, Value: Sendable>: Sendable {
    package let next: @Sendable (_ last: Input, _ loaded: Loaded<Value>) throws -> Input?
    package let join: @Sendable (_ shown: Value, _ page: Value) -> Value
    /// The maximum number of pages. If `nil`, only `next` limits it.
    package let policy: PagingPolicy?

    package init(
        policy: PagingPolicy? = nil,
        next: @escaping @Sendable (_ last: Input, _ loaded: Loaded<Value>) throws -> Input?,
        join: @escaping @Sendable (_ shown: Value, _ page: Value) -> Value
    ) {
        self.policy = policy
        self.next = next
        self.join = join
    }
}
