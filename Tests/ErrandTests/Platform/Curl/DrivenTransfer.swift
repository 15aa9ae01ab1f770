#if os(Linux)
    import CErrandCurl
    import Errand
    import Foundation
    import Testing

    /// A request on an engine that the test drives itself, to count the events that the engine acts on.
    ///
    /// Its reader pauses the transfer after each ``portion``. The source of its body, if it has one, never has any
    /// bytes.
    final class DrivenTransfer {
        /// The bytes that the reader takes before it pauses the transfer.
        let portion: Int
        private(set) var received = 0
        /// Whether the reader has paused the transfer.
        private(set) var isPaused = false
        /// The CURLcode that the transfer has ended with.
        private(set) var code: Int32?
        private var room: Int
        private let engine: OpaquePointer
        private let transfer: OpaquePointer

        /// - Throws: An expectation failure if libcurl refuses the settings or the URL.
        init(_ url: String, portion: Int, hasBody: Bool = false, authorities: URL? = nil) throws {
            self.portion = portion
            room = portion
            #expect(errand_curl_load())
            engine = try #require(errand_engine_new(1, 1, 100))
            transfer = try Self.makeTransfer(authorities)
            let target = try #require(
                url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url.utf8.index($0, offsetBy: 3) })
            let path = try #require(url.utf8[target...].firstIndex(of: UInt8(ascii: "/")))
            let start = url.utf8.distance(from: url.utf8.startIndex, to: path)
            let owner = Unmanaged.passUnretained(self).toOpaque()
            let isPrepared = url.withCString { url in
                (hasBody ? "POST" : "GET").withCString { method in
                    var request = errand_request(
                        url: url, target_start: start, method: method, lines: nil, line_bytes: 0, has_body: hasBody,
                        body_count: Int64(ERRAND_UNKNOWN_COUNT), has_late_body: false, may_retry: false,
                        fresh_connection: false, is_streamed: false,
                        is_loopback: true)
                    return errand_transfer_prepare(transfer, &request, owner)
                }
            }
            try #require(isPrepared && errand_engine_add(engine, transfer))
        }

        deinit {
            errand_engine_remove(engine, transfer)
            errand_transfer_free(transfer)
            let waiter = errand_engine_waiter(engine)
            errand_engine_free(engine)
            errand_waiter_close(waiter)
        }

        /// Lets the reader take another portion.
        func resume() {
            room = portion
            isPaused = false
            errand_transfer_unpause(transfer)
        }

        /// Acts on events until the reader pauses the transfer or the transfer ends.
        func runUntilPaused() {
            let end = errand_milliseconds() + 20_000
            while !isPaused, code == nil, errand_milliseconds() < end { act(within: 1_000) }
        }

        /// Acts on events, at most `limit`, until none comes for 100 ms. Returns their number.
        func runUntilQuiet(upTo limit: Int) -> Int {
            var count = 0
            while count < limit, code == nil {
                let events = act(within: 100)
                if events == 0 { break }
                count += events
            }
            return count
        }

        /// Waits once and acts on the events. Returns their number.
        @discardableResult
        private func act(within milliseconds: Int64) -> Int {
            var ready = [errand_event](repeating: errand_event(), count: 8)
            let due = min(milliseconds, max(0, errand_engine_due(engine) - errand_milliseconds()))
            let count = max(0, errand_wait(errand_engine_waiter(engine), Int32(due), &ready, Int32(ready.count)))
            for event in ready.prefix(Int(count)) { errand_engine_act(engine, event) }
            let hasTicked = errand_engine_tick(engine, errand_milliseconds())
            var code: Int32 = 0
            if errand_engine_next_ended(engine, &code) != nil { self.code = code }
            // A timer of libcurl is not an event of the connection, but may lead to one.
            return Int(count) == 0 && hasTicked ? act(within: milliseconds) : Int(count)
        }

        private func take(_ count: Int) -> errand_body_result {
            isPaused = room == 0
            guard !isPaused else { return errand_body_paused }
            received += count
            room = max(0, room - count)
            return errand_body_accepted
        }

        private static func makeTransfer(_ authorities: URL?) throws -> OpaquePointer {
            var callbacks = errand_callbacks(
                head: { _, _, _ in true },
                body: { owner, _, count in
                    owner.map { Unmanaged<DrivenTransfer>.fromOpaque($0).takeUnretainedValue().take(count) }
                        ?? errand_body_refused
                },
                read: { _, _, _ in CurlUpload.Given.none }, rewind: { _ in false }, excess: { _ in })
            var settings = errand_settings()
            settings.http1_only = true
            settings.connect_milliseconds = 10_000
            var refused: UnsafePointer<CChar>?
            let transfer = "".withCString { none in
                (authorities?.path(percentEncoded: false) ?? "").withCString { file in
                    settings.proxy = none
                    settings.ca_file = authorities == nil ? nil : file
                    return errand_transfer_new(&settings, &callbacks, &refused)
                }
            }
            return try #require(transfer, "unsupported libcurl option \(refused.map { String(cString: $0) } ?? "")")
        }
    }
#endif
