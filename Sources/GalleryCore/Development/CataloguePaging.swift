internal import Errand
internal import ErrandLoopback

/// Which page of a list a request asks for, and the head fields that say where it lies.
struct CataloguePaging: Sendable {
    let page: Int
    let perPage: Int

    /// Reads `page` and `per_page`: 1 and 10 where they are missing, at most 30 on a page.
    init(_ request: LoopbackRequest) throws(Refusal) {
        page = try request.count("page") ?? 1
        perPage = min(try request.count("per_page") ?? 10, 30)
    }

    func pageCount(of total: Int) -> Int { (total + perPage - 1) / perPage }

    /// The items of this page; none beyond the last.
    func items<Item>(of all: [Item]) -> ArraySlice<Item> {
        let (start, overflow) = (page - 1).multipliedReportingOverflow(by: perPage)
        return overflow ? [] : all.dropFirst(start).prefix(perPage)
    }

    /// The head fields of a list: the counts, and the links to its other pages.
    func fields(total: Int, of request: LoopbackRequest, at base: URL) -> [LoopbackField] {
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
        let counts = [LoopbackField("X-Total", "\(total)"), LoopbackField("X-Per-Page", "\(perPage)")]
        return counts + (links.isEmpty ? [] : [LoopbackField("Link", links.joined(separator: ", "))])
    }

    /// The request's own query with another page; everything else keeps its place and its bytes.
    private func query(of request: LoopbackRequest, page: Int) -> String {
        let items = (request.query ?? "").split(separator: "&").map(String.init)
        let others = items.filter { $0 != "page" && !$0.hasPrefix("page=") }
        return (others + ["page=\(page)"]).joined(separator: "&")
    }
}

extension LoopbackRequest {
    /// The value of a query item; nil where it is missing or empty.
    func item(_ name: String) -> String? {
        queryItems.last { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A query item that is a count of one or more.
    func count(_ name: String) throws(Refusal) -> Int? {
        guard let text = item(name) else { return nil }
        guard let number = Int(text), number > 0 else { throw Refusal(400, "\(name) is invalid") }
        return number
    }
}

/// Why a request gets no photos: a status and what is said about it.
struct Refusal: Error {
    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
