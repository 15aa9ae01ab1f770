import ErrandLoopback
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DownloadOperationTests {
    @Test(arguments: ConformanceDriverTests.sessions)
    func `a download reports its bytes and its start`(session: [String]) async throws {
        let folder = try ScratchFolder()
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let server = try LoopbackServer { request in
            let first = request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
            guard let first, request["If-Range"] == #""1""# else {
                let reply = LoopbackReply.data(content).header("ETag", #""1""#)
                return request["X-Break"] == nil ? reply : reply.truncatingBody(after: 60_000)
            }
            guard request["X-Break"] == nil else { return .status(400) }
            return .data(Data(content.dropFirst(first)), status: 206).header("ETag", #""1""#)
                .header("Content-Range", "bytes \(first)-99999/100000")
        }
        func download(_ fields: [String: Any]) async throws -> [String: Any] {
            let request: [String: Any] = [
                "id": 1, "op": "download", "url": server.url.appending(path: "film").absoluteString,
                "path": folder.url.appending(path: "film").path,
            ]
            let merged = request.merging(fields) { $1 }
            return try #require(try await ConformanceDriver.ask([merged], session)[1])
        }
        let broken = try await download(["headers": [["X-Break", "1"]]])
        #expect((broken["error"] as? String)?.hasPrefix("status:") == true, "\(broken)")
        let resumed = try await download([:])
        #expect(resumed["bytes"] as? Int == 100_000 && resumed["resumedFrom"] as? Int == 60_000, "\(resumed)")
        #expect(resumed["path"] as? String == folder.url.appending(path: "film").path)
        #expect(try Data(contentsOf: folder.url.appending(path: "film")) == content)
        let again = try await download(["resume": false])
        #expect(again["bytes"] as? Int == 100_000 && again["resumedFrom"] as? Int == 0)
        #expect(try await download(["path": NSNull()])["error"] as? String != nil)
        await server.stop()
    }
}
