import Errand

/// Sends a body of zeros past a session, in both directions, without ever holding it.
struct BodyTransfers: Sendable {
    let session: any APISession
    let server: URL
    let bytes: Int

    /// Reads a body at a number of bytes a second.
    func download(bytesPerSecond: Int) async throws {
        var request = try APIRequest(URLRequest(url: server.appending(path: "zeros/\(bytes)")))
        request.options.delivery = .streamed
        let start = ContinuousClock.now
        let response = try await session.send(request)
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            let due = start + .seconds(Double(count) / Double(bytesPerSecond))
            // Short waits would only measure the timer.
            if due - .now > .milliseconds(10) { try await Task.sleep(until: due) }
        }
        guard count == bytes else { throw Failure("\(count) of \(bytes) bytes came") }
    }

    /// Sends a file, and lets the server count it.
    func upload() async throws {
        let file = URL.temporaryDirectory.appending(path: "errand-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try makeFile(file)
        var head = URLRequest(url: server)
        head.httpMethod = "POST"
        let response = try await session.send(APIRequest(head: head, body: .file(file)))
        let counted = try await String(decoding: response.body.collect(), as: UTF8.self)
        guard counted == "\(bytes)" else { throw Failure("the server counted \(counted) of \(bytes) bytes") }
    }

    /// A file of zeros that takes no room on the disk.
    private func makeFile(_ file: URL) throws {
        guard FileManager.default.createFile(atPath: file.path(), contents: nil) else {
            throw Failure("no file can be made")
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(bytes))
    }
}
