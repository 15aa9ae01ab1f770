extension Pages {
    /// One page of a walk.
    public struct Page: Sendable {
        /// What the handler made of the answer.
        public let value: T.ResponseDataType
        /// What is on it, in its order.
        public let items: [T.Item]
        /// Which page of the walk it is, from 1.
        public let number: Int
        /// Status and fields of the answer.
        public let head: ResponseHead
        /// What happened on the way, and why.
        public let trail: Trail
        let following: Result<PagePlace<T.RequestDataType>?, ServiceError>

        /// Where the walk goes on, for a later one to start from; nil at the end, and where what the server names can't be
        /// followed: the walk then throws.
        public var next: PagePlace<T.RequestDataType>? {
            (try? following.get()) ?? nil
        }

        init(
            _ loaded: Loaded<T.ResponseDataType>, number: Int, items: [T.Item],
            following: Result<PagePlace<T.RequestDataType>?, ServiceError>
        ) {
            value = loaded.value
            self.items = items
            self.number = number
            head = loaded.head
            trail = loaded.trail
            self.following = following
        }
    }
}

extension Pages.Page: CustomStringConvertible, CustomReflectable {
    /// The number, the status and how much is on it.
    public var description: String { "page \(number), status \(head.status), \(items.count) items" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
