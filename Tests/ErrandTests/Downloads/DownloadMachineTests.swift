import Errand
import Foundation
import TestSupport
import Testing

@Suite struct DownloadMachineTests {
    /// A partial file of 100 of 1,000 bytes with the entity tag "a".
    private static func machine(
        _ state: Row.State, _ change: (inout DownloadOptions) -> Void = { _ in }
    ) -> DownloadMachine {
        var options = DownloadOptions()
        change(&options)
        switch state {
        case .fresh: return DownloadMachine(options, identity: "i")
        case .probe:
            options.ranges = 4
            return DownloadMachine(options, identity: "i")
        case .partial: return DownloadMachine(options, identity: "i", record: record(), length: 100)
        case .dated:
            let validators = ResourceValidators([
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:49:37 GMT",
            ])
            let record = DownloadRecord(identity: "i", validators: validators, total: 1_000)
            return DownloadMachine(options, identity: "i", record: record, length: 100)
        case .endless:
            return DownloadMachine(options, identity: "i", record: record(total: nil), length: 100)
        case .complete: return DownloadMachine(options, identity: "i", record: record(), length: 1_000)
        case .segment:
            let segment = DownloadRecord.Segment(start: 100, end: 500, position: 200)
            return DownloadMachine(options, record: record(), segment: segment)
        }
    }

    private static func record(total: Int64? = 1_000) -> DownloadRecord {
        DownloadRecord(identity: "i", validators: ResourceValidators(["ETag": #""a""#]), total: total)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        enum State: Sendable { case fresh, probe, partial, dated, endless, complete, segment }
        let state: State
        let status: Int
        var headers: HeaderFields = [:]
        let result: String
        var testDescription: String { "\(state) \(status) \(headers)" }

        init(_ state: State, _ status: Int, _ headers: HeaderFields, _ result: String) {
            (self.state, self.status, self.headers, self.result) = (state, status, headers, result)
        }

        init(_ state: State, _ status: Int, _ result: String) {
            self.init(state, status, [:], result)
        }
    }

    static let complete: [Row] = [
        Row(.fresh, 200, "body 0 to end, not resumable"),
        Row(.fresh, 200, ["Content-Length": "9", "ETag": #""a""#], "body 0 to 9, resumable"),
        Row(.fresh, 203, ["ETag": #""a""#], "body 0 to end, not resumable"),
        Row(.fresh, 200, ["ETag": "\"\(String(repeating: "a", count: 8_191))\""], "body 0 to end, not resumable"),
        Row(.fresh, 200, ["Content-Length": "9", "ETag": #"W/"a""#], "body 0 to 9, not resumable"),
        Row(.fresh, 200, ["ETag": #""a""#, "Accept-Ranges": "none"], "body 0 to end, not resumable"),
        Row(
            .fresh, 200, ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            "body 0 to end, not resumable"),
        Row(
            .fresh, 200, ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT"],
            "body 0 to end, resumable"),
        Row(
            .fresh, 200, ["ETag": #""a""#, "Content-Encoding": "gzip", "Content-Length": "9"],
            "body 0 to end, not resumable"),
        Row(.fresh, 200, ["Content-Encoding": "compress"], "decoding"),
        Row(.fresh, 200, ["Content-Length": "9223372036854775808"], "body 0 to end, not resumable"),
        Row(.fresh, 200, ["Content-Length": "-1"], "body 0 to end, not resumable"),
        Row(.fresh, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-8/9"], "bad-response"),
        Row(.fresh, 204, "bad-response"), Row(.fresh, 304, "bad-response"),
        Row(.partial, 200, ["ETag": #""b""#, "Content-Length": "9"], "body 0 to 9, resumable"),
        Row(.partial, 200, ["ETag": #""a""#, "Content-Length": "1000"], "body 0 to 1000, resumable"),
        Row(.segment, 200, ["ETag": #""a""#], "bad-response"),
    ]

    static let parts: [Row] = [
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-999/1000"], "part 100 to 1000"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-199/1000"], "part 100 to 200"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-999/*"], "part 100 to 1000"),
        Row(.partial, 206, ["ETag": #""b""#, "Content-Range": "bytes 100-999/1000"], "start again"),
        Row(.partial, 206, ["ETag": #"W/"a""#, "Content-Range": "bytes 100-999/1000"], "start again"),
        Row(.partial, 206, ["Content-Range": "bytes 100-999/1000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-1999/2000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-999/1000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 101-999/1000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "bytes */1000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Range": "lines 100-999/1000"], "start again"),
        Row(.partial, 206, ["ETag": #""a""#], "start again"),
        Row(
            .partial, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-999/1000", "Content-Encoding": "gzip"],
            "start again"),
        Row(.partial, 206, ["ETag": #""a""#, "Content-Type": "multipart/byteranges; boundary=x"], "start again"),
        Row(.segment, 206, ["ETag": #""a""#, "Content-Type": "Multipart/ByteRanges"], "bad-response"),
        // The validators of the handler accept these statuses.
        Row(.partial, 412, "start again"), Row(.partial, 404, "make again"), Row(.fresh, 404, "bad-response"),
        Row(.probe, 416, ["Content-Range": "bytes */0"], "start again"),
        Row(.dated, 206, ["Content-Range": "bytes 100-999/1000"], "part 100 to 1000"),
        Row(
            .dated, 206, ["Content-Range": "bytes 100-999/1000", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            "part 100 to 1000"),
        Row(
            .dated, 206, ["Content-Range": "bytes 100-999/1000", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"],
            "start again"),
        Row(.dated, 206, ["Content-Range": "bytes 100-999/1000", "ETag": #""a""#], "start again"),
        Row(.endless, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-199/*"], "part 100 to 200"),
        Row(.endless, 206, ["ETag": #""a""#, "Content-Range": "bytes 100-199/300"], "part 100 to 200"),
        Row(.complete, 206, ["ETag": #""a""#, "Content-Range": "bytes 999-999/1000"], "part 999 to 1000"),
        Row(.segment, 206, ["ETag": #""a""#, "Content-Range": "bytes 200-499/1000"], "part 200 to 500"),
        Row(.segment, 206, ["ETag": #""a""#, "Content-Range": "bytes 200-999/1000"], "bad-response"),
        Row(.segment, 206, ["ETag": #""b""#, "Content-Range": "bytes 200-499/1000"], "bad-response"),
        Row(.probe, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-1048575/9000000"], "part 0 to 1048576"),
        Row(.probe, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-8/9"], "part 0 to 9"),
        Row(.probe, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-1048576/9000000"], "start again"),
        Row(.probe, 206, ["ETag": #""a""#, "Content-Range": "bytes 0-8/*"], "start again"),
        Row(.probe, 206, ["ETag": #"W/"a""#, "Content-Range": "bytes 0-8/9"], "start again"),
        Row(.probe, 200, ["ETag": #""a""#, "Content-Length": "9"], "body 0 to 9, resumable"),
    ]

    @Test(arguments: complete + parts) func `a response determines the bytes that are kept`(row: Row) throws {
        let head = ResponseHead(status: row.status, headers: row.headers, url: URL(filePath: "/"))
        #expect(Self.text { try $0.respond(to: head) }(Self.machine(row.state)) == row.result)
    }

    static let refusals: [Row] = [
        Row(.fresh, 412, "status"), Row(.partial, 412, "start again"), Row(.segment, 412, "status"),
        Row(.fresh, 416, "status"), Row(.probe, 416, ["Content-Range": "bytes */0"], "start again"),
        Row(.partial, 416, ["Content-Range": "bytes */100", "ETag": #""a""#], "start again"),
        Row(.endless, 416, ["Content-Range": "bytes */100", "ETag": #""a""#], "finish"),
        Row(.endless, 416, ["Content-Range": "bytes */100", "ETag": #""b""#], "start again"),
        Row(.endless, 416, ["Content-Range": "bytes */100"], "start again"),
        Row(.endless, 416, ["Content-Range": "bytes */90", "ETag": #""a""#], "start again"),
        Row(.endless, 416, ["ETag": #""a""#], "start again"),
        Row(.segment, 416, ["Content-Range": "bytes */200", "ETag": #""a""#], "status"),
        Row(.fresh, 401, "status"), Row(.fresh, 404, "status"), Row(.probe, 403, "status"),
        Row(.partial, 401, "make again"), Row(.partial, 403, "make again"), Row(.partial, 404, "make again"),
        Row(.partial, 410, "make again"), Row(.segment, 403, "make again"),
        Row(.partial, 304, "status"), Row(.partial, 400, "status"), Row(.partial, 500, "status"),
        Row(.partial, 503, "status"), Row(.segment, 503, "retry 1"), Row(.segment, 501, "status"),
        Row(.segment, 503, ["Retry-After": "7"], "retry 1"), Row(.segment, 503, ["Retry-After": "61"], "status"),
    ]

    @Test(arguments: refusals) func `a refused request restarts, continues or ends the download`(row: Row) throws {
        var error = ServiceError(.status, "refused")
        error.response = ResponseHead(status: row.status, headers: row.headers, url: URL(filePath: "/"))
        error.retryAfter = row.headers["Retry-After"].flatMap { Int($0) }.map { .seconds($0) }
        #expect(Self.text { try $0.requestFailed(error) }(Self.machine(row.state)) == row.result)
    }

    @Test func `a digest of the caller confirms the length of a status 416`() throws {
        var error = ServiceError(.status, "refused")
        let headers: HeaderFields = ["Content-Range": "bytes */100"]
        error.response = ResponseHead(status: 416, headers: headers, url: URL(filePath: "/"))
        let digest = try FileDigest.sha256([UInt8](repeating: 1, count: 32))
        #expect(Self.text { try $0.requestFailed(error) }(Self.machine(.endless) { $0.digest = digest }) == "finish")
    }

    @Test(
        arguments: [
            (.fresh, nil, nil), (.probe, "bytes=0-1048575", nil), (.partial, "bytes=100-", #""a""#),
            (.dated, "bytes=100-", "Sun, 06 Nov 1994 08:49:37 GMT"), (.endless, "bytes=100-", #""a""#),
            (.complete, "bytes=999-", #""a""#), (.segment, "bytes=200-499", #""a""#),
        ] as [(Row.State, String?, String?)])
    func `a request has a range only with a strong validator`(state: Row.State, range: String?, validator: String?) {
        let request = Self.machine(state).request
        #expect(request.range?.header.value == range && request.validator == validator)
    }

    @Test func `a partial file is ignored if the download does not resume`() {
        let machine = Self.machine(.partial) { $0.resumes = false }
        #expect(machine.request == DownloadMachine.Request() && machine.position == 0)
    }

    @Test func `attempts without new bytes are limited`() throws {
        var machine = Self.machine(.fresh)
        let headers: HeaderFields = ["ETag": #""a""#, "Content-Length": "1000"]
        _ = try machine.respond(to: ResponseHead(status: 200, headers: headers, url: URL(filePath: "/")))
        let lost = ServiceError(.connectionLost, "lost")
        for round in 1...3 {
            try machine.receive(10)
            #expect(try machine.bodyEnded(lost) == .retry(attempt: 1, atLeast: .zero), "\(round)")
            for attempt in 2...5 {
                #expect(try machine.requestFailed(lost) == .retry(attempt: attempt, atLeast: .zero))
            }
        }
        #expect(throws: ServiceError.self) { try machine.requestFailed(lost) }
    }

    @Test func `a server without ranges that breaks each body is not asked forever`() throws {
        var machine = Self.machine(.fresh)
        let head = ResponseHead(
            status: 200, headers: ["ETag": #""a""#, "Content-Length": "1000"], url: URL(filePath: "/"))
        var bodies = 0
        #expect(throws: ServiceError.self) {
            while bodies < 100 {
                _ = try machine.respond(to: head)
                try machine.receive(10)
                _ = try machine.bodyEnded(ServiceError(.connectionLost, "lost"))
                bodies += 1
            }
        }
        // The first body has new bytes. The others have not.
        #expect(bodies == 5)
    }

    @Test func `an inconsistent server is restarted twice`() throws {
        var machine = Self.machine(.partial)
        let part = ResponseHead(
            status: 206, headers: ["ETag": #""b""#, "Content-Range": "bytes 100-999/1000"], url: URL(filePath: "/"))
        let full = ResponseHead(
            status: 200, headers: ["ETag": #""a""#, "Content-Length": "1000"], url: URL(filePath: "/"))
        for _ in 1...2 {
            #expect(try machine.respond(to: part) == .send)
            #expect(machine.request == DownloadMachine.Request())
            _ = try machine.respond(to: full)
            try machine.receive(100)
            _ = try machine.bodyEnded(ServiceError(.connectionLost, "lost"))
        }
        let error = #expect(throws: ServiceError.self) { try machine.respond(to: part) }
        #expect(error?.code == .badResponse)
    }

    @Test(
        arguments: [
            (.tls, nil), (.timeout, 1), (.connection, 1), (.connectionLost, 1), (.badResponse, nil), (.cancelled, nil),
        ] as [(ServiceError.Code, Int?)])
    func `only a lost connection or a timeout continues`(code: ServiceError.Code, attempt: Int?) throws {
        var machine = Self.machine(.partial)
        let headers: HeaderFields = ["ETag": #""a""#, "Content-Range": "bytes 100-999/1000"]
        // Before the first body of the call, nothing is repeated.
        #expect(Self.text { try $0.requestFailed(ServiceError(code, "")) }(machine) == code.rawValue)
        _ = try machine.respond(to: ResponseHead(status: 206, headers: headers, url: URL(filePath: "/")))
        let result = Self.text { try $0.bodyEnded(ServiceError(code, "")) }(machine)
        #expect(result == attempt.map { "retry \($0)" } ?? code.rawValue)
    }

    @Test func `a body ends with the announced number of bytes`() throws {
        var machine = Self.machine(.partial)
        let headers: HeaderFields = ["ETag": #""a""#, "Content-Range": "bytes 100-199/1000"]
        _ = try machine.respond(to: ResponseHead(status: 206, headers: headers, url: URL(filePath: "/")))
        try machine.receive(99)
        #expect(Self.text { try $0.bodyEnded(nil) }(machine) == "retry 1")
        #expect(
            Self.text {
                try $0.receive(2); return .send
            }(machine) == "bad-response")
        try machine.receive(1)
        // The server has sent a shorter part than requested.
        #expect(try machine.bodyEnded(nil) == .send)
        #expect(machine.request.range?.header.value == "bytes=200-")
    }

    @Test func `the limit applies to the announced and to the received bytes`() throws {
        let head = ResponseHead(status: 200, headers: ["Content-Length": "11"], url: URL(filePath: "/"))
        #expect(Self.text { try $0.respond(to: head) }(Self.machine(.fresh) { $0.limit = 10 }) == "body-too-large")
        var machine = Self.machine(.fresh) { $0.limit = 10 }
        _ = try machine.respond(to: ResponseHead(status: 200, url: URL(filePath: "/")))
        try machine.receive(10)
        #expect(
            Self.text {
                try $0.receive(1); return .send
            }(machine) == "body-too-large")
        #expect(
            Self.text {
                try $0.receive(.max); return .send
            }(machine) == "body-too-large")
    }

    /// A short text of the next action, or the code of the error.
    private static func text(
        _ step: @escaping (inout DownloadMachine) throws -> DownloadMachine.Action
    ) -> (DownloadMachine) -> String {
        { machine in
            var machine = machine
            do {
                switch try step(&machine) {
                case .send: return machine.request.range == nil ? "start again" : "next part"
                case .remake: return "make again"
                case .retry(let attempt, _): return "retry \(attempt)"
                case .receive(let body) where body.isPart: return "part \(body.start) to \(body.end ?? -1)"
                case .receive(let body):
                    let end = body.end.map { "\($0)" } ?? "end"
                    return "body \(body.start) to \(end), \(body.record == nil ? "not " : "")resumable"
                case .split: return "split"
                case .finish: return "finish"
                }
            } catch {
                return (error as? ServiceError)?.code.rawValue ?? "\(error)"
            }
        }
    }
}
