extension Pages {
    /// A page of a list.
    public struct Page: Sendable {
        /// The value that the handler parsed.
        public let value: T.ResponseDataType
        /// The items of the page, in order.
        public let items: [T.Item]
        /// The number of the page in the list, from 1.
        public let number: Int
        /// The status and headers of the response.
        public let head: ResponseHead
        /// The events and attempts of the API call, with their reasons.
        public let trail: Trail
        let following: Result<PagePosition<T.RequestDataType>?, ServiceError>

        /// The position of the next page, from which a later sequence can start. `nil` at the end, and if the next
        /// page can't be determined or followed. In this case, the sequence throws an error.
        public var next: PagePosition<T.RequestDataType>? {
            (try? following.get()) ?? nil
        }

        init(
            _ loaded: Loaded<T.ResponseDataType>, number: Int, items: [T.Item],
            following: Result<PagePosition<T.RequestDataType>?, ServiceError>
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
    /// The number, the status and the number of items.
    public var description: String { "page \(number), status \(head.status), \(items.count) items" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
