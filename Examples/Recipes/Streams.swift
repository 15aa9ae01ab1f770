import Errand

func tail(_ log: URL, over session: some APISession = .platform) async throws -> Int {
    var request = try APIRequest(URLRequest(url: log))
    request.options.delivery = .streamed
    let response = try await session.send(request)
    guard response.head.status == 200 else { throw ServiceError(.status, "there is no log: \(response.head.status)") }
    var errors = 0
    for try await line in response.body.lines where line.hasPrefix("ERROR") {  // backpressure: no faster than this loop
        errors += 1
    }
    return errors
}

func upload(_ film: URL, to url: URL, over session: some APISession = .platform) async throws -> Int {
    var head = URLRequest(url: url)
    head.httpMethod = "PUT"
    return try await session.send(APIRequest(head: head, body: .file(film))).head.status
}
