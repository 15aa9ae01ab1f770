import Errand

/// Downloads and uploads a body of zeros without keeping it in memory.
struct BodyTransfers: Sendable {
    let session: any APISession
    let server: URL
    let bytes: Int

    /// Downloads a body at a limited number of bytes per second.
    func download(bytesPerSecond: Int) async throws {
        var request = try APIRequest(URLRequest(url: server.appending(path: "zeros/\(bytes)")))
        request.options.delivery = .streamed
        let start = ContinuousClock.now
        let response = try await session.send(request)
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            let due = start + .seconds(Double(count) / Double(bytesPerSecond))
            // Shorter waits would measure only the timer.
            if due - .now > .milliseconds(10) { try await Task.sleep(until: due) }
        }
        guard count == bytes else { throw Failure("expected \(bytes) bytes, received \(count)") }
    }

    /// Uploads a file, and compares its size with the count of the server.
    func upload() async throws { try await upload { .file($0) } }

    /// Uploads a file as the part of a form.
    func uploadForm() async throws {
        try await upload { .multipart(["title": "zeros"], files: [.file($0, name: "film")]) }
    }

    private func upload(_ body: (URL) -> RequestBody) async throws {
        let file = URL.temporaryDirectory.appending(path: "errand-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try makeFile(file)
        var head = URLRequest(url: server)
        head.httpMethod = "POST"
        let request = APIRequest(head: head, body: body(file))
        let length = try request.body.length() ?? 0
        let response = try await session.send(request)
        let counted = try await String(decoding: response.body.collect(), as: UTF8.self)
        guard counted == "\(length)" else { throw Failure("expected \(length) bytes, the server received \(counted)") }
    }

    /// Creates a sparse file of zeros.
    private func makeFile(_ file: URL) throws {
        guard FileManager.default.createFile(atPath: file.path(), contents: nil) else {
            throw Failure("cannot create a file at \(file.path())")
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(bytes))
    }
}
