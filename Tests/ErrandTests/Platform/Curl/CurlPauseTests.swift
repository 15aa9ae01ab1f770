#if os(Linux)
    import CErrandCurl
    import Errand
    import TestSupport
    import Testing

    /// Paused transfers, on an engine that the test drives.
    @Suite(.timeLimit(.minutes(1))) struct CurlPauseTests {
        /// libcurl 8.5.0 continues to read while a transfer is paused.
        @Test(arguments: [false, true])
        func `a paused transfer causes no events and loses no bytes`(closes: Bool) throws {
            let body = String(repeating: "x", count: 16 << 20)
            let length = closes ? "" : "Content-Length: \(body.utf8.count)\r\n"
            let response = "HTTP/1.1 200 OK\r\n\(length)\r\n\(body)"
            let peer = try RawPeer(closes ? .respondsAndCloses(response) : .respondsEarly(response))
            let transfer = try DrivenTransfer("http://127.0.0.1:\(peer.port)/", portion: 2 << 20)
            try transfer.expectQuietPauses(size: body.utf8.count)
        }

        @Test(arguments: ["", "HTTP/1.1 103 Early\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
        func `an upload that waits for its source causes no events`(response: String) throws {
            let peer = try RawPeer(.respondsEarly(response))
            let transfer = try DrivenTransfer("http://127.0.0.1:\(peer.port)/", portion: 1, hasBody: true)
            let events = transfer.runUntilQuiet(upTo: 100)
            #expect(events < 100 && transfer.code == nil, "\(events) events, code \(transfer.code ?? -1)")
        }
    }

    extension DrivenTransfer {
        /// Reads a body of this size and pauses after each portion. Expects that a pause causes at most two events.
        func expectQuietPauses(size: Int) throws {
            var pauses = 0
            runUntilPaused()
            while isPaused, pauses <= size / portion {
                let events = runUntilQuiet(upTo: 20)
                #expect(events < 3, "\(events) events in pause \(pauses)")
                #expect(code == nil)
                pauses += 1
                resume()
                runUntilPaused()
            }
            #expect(
                code == 0 && received == size && pauses > 2, "\(received) bytes, \(pauses) pauses, code \(code ?? -1)")
        }
    }
#endif
