import Errand

nonisolated struct Invoice: Codable, Sendable { let job: Int, customer: String }

struct InvoiceAPI: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from invoice: Invoice) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "invoices"))
        request.httpMethod = "POST"
        try setJSONBody(invoice, on: &request)
        setDefaultHeaders(on: &request)
        request.setValue("invoice-\(invoice.job)", forHTTPHeaderField: "Idempotency-Key")
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

func jobSession(keys folder: URL, over session: some APISession = .platform) -> any APISession {
    let once = IdempotencyInterceptor(FolderIdempotencyLedger(folder))
    return session.intercepted(by: IdentityInterceptor(), once, RetryInterceptor())
}
