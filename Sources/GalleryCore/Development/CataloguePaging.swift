internal import Errand
internal import ErrandLoopback

/// The page of a list that a request selects, and the paging headers of its response.
struct CataloguePaging: Sendable {
    let page: Int
    let perPage: Int

    /// Parses `page` and `per_page`. The defaults are 1 and 10. `per_page` is limited to 30.
    init(_ request: LoopbackRequest) throws(Refusal) {
        page = try request.count("page") ?? 1
        perPage = min(try request.count("per_page") ?? 10, 30)
    }

    /// The lifetime of this page in a cache. The first page of a list shows new uploads at once.
    var lifetime: CatalogueService.Lifetime { page == 1 ? .none : .minute }

    func pageCount(of total: Int) -> Int { (total + perPage - 1) / perPage }

    /// Returns the items of this page. The result is empty beyond the last page.
    func items<Item>(of all: [Item]) -> ArraySlice<Item> {
        let (start, overflow) = (page - 1).multipliedReportingOverflow(by: perPage)
        return overflow ? [] : all.dropFirst(start).prefix(perPage)
    }

    /// Returns the response headers of a list: the counts, and the links to its other pages.
    func headers(total: Int, of request: LoopbackRequest, at base: URL) -> [LoopbackHeader] {
        let last = pageCount(of: total)
        var links: [String] = []
        func add(_ number: Int, _ relation: String) {
            links.append(
                "<\(base.absoluteString)\(request.path)?\(query(of: request, page: number))>; rel=\"\(relation)\"")
        }
        if page > 1, last > 0 {
            add(1, "first")
            add(min(page - 1, last), "prev")
        }
        if page < last {
            add(last, "last")
            add(page + 1, "next")
        }
        let counts = [LoopbackHeader("X-Total", "\(total)"), LoopbackHeader("X-Per-Page", "\(perPage)")]
        return counts + (links.isEmpty ? [] : [LoopbackHeader("Link", links.joined(separator: ", "))])
    }

    /// Returns the request's query with another page. The other items keep their order and their bytes.
    private func query(of request: LoopbackRequest, page: Int) -> String {
        let items = (request.query ?? "").split(separator: "&").map(String.init)
        let others = items.filter { $0 != "page" && !$0.hasPrefix("page=") }
        return (others + ["page=\(page)"]).joined(separator: "&")
    }
}

extension LoopbackRequest {
    /// Returns the value of a query item, or `nil` if it is missing or empty.
    func item(_ name: String) -> String? {
        queryItems.last { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value of a query item that must be a positive integer, or `nil` if it is missing or empty.
    func count(_ name: String) throws(Refusal) -> Int? {
        guard let text = item(name) else { return nil }
        guard let number = Int(text), number > 0 else { throw Refusal(400, "\(name) is invalid") }
        return number
    }
}

/// An error response: a status and a message.
struct Refusal: Error {
    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
