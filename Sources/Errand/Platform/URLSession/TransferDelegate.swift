import ErrandSupport

/// Routes a session's delegate calls to its transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Entry {
        let transfer: Transfer
        let kept: [any AnyObject & Sendable]
        var challenged = false
    }

    private let entries = Locked<[Int: Entry]>([:])

    /// Registers the transfer of a task, and keeps objects alive until the platform has completed the task.
    func add(_ transfer: Transfer, keeping kept: [any AnyObject & Sendable], for task: URLSessionTask) {
        entries.withLock { $0[task.taskIdentifier] = Entry(transfer: transfer, kept: kept) }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        entries.withLock { $0[task.taskIdentifier]?.transfer }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(of: task)?.note(sent: bytesSent)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        entry?.transfer.complete(error, task.response, challenged: entry?.challenged ?? false)
    }

    // The platform forwards credentials and drops bodies when it follows redirects. Here a 3xx is returned like any
    // response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let transfer = transfer(of: task) else {
            if Platform.allowsLateCompletion { completionHandler(nil) }
            return
        }
        transfer.refuseRedirect(completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard Platform.isPasswordChallenge(challenge) else { return completionHandler(.performDefaultHandling, nil) }
        entries.withLock { $0[task.taskIdentifier]?.challenged = true }
        completionHandler(Platform.refuseChallenge, nil)
    }
}
