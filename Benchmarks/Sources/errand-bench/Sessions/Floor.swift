import CFloor
import Foundation
import Synchronization

/// The plain libcurl loop in C, which is the minimum cost of every session.
final class Floor: Sendable {
    /// Receives the status and the bytes of each response. The bytes are valid until it returns.
    typealias Reader = @Sendable (_ status: Int, _ body: UnsafeRawBufferPointer) throws -> Void

    private let handle: Mutex<Handle>
    private let lanes: Int
    private let read: Reader

    init(_ target: Target, inFlight lanes: Int, read: @escaping Reader) throws {
        let handle = try Handle(target, lanes)
        self.handle = Mutex(handle)
        self.lanes = lanes
        self.read = read
    }

    /// Runs a block on the calling thread. Returns the number of responses.
    func run(_ block: Block) throws -> Int {
        var run = Run(lane: block.lane(0, of: 1), read: read)
        for _ in 0..<lanes { _ = run.lane.next() }
        let problem = handle.withLock { handle in
            withUnsafeMutablePointer(to: &run) { run in
                errand_floor_run(handle.floor, Run.received, run).map { String(cString: $0) }
            }
        }
        if let failure = run.failure { throw failure }
        if let problem { throw Failure("libcurl: \(problem)") }
        return run.responses
    }

    private struct Handle: ~Copyable {
        let floor: OpaquePointer

        init(_ target: Target, _ lanes: Int) throws {
            let lines = target.headers.map { strdup("\($0.key): \($0.value)") }
            let urls = target.urls.map { strdup($0.absoluteString) }
            let authorities = target.authorities.flatMap { strdup($0.path()) }
            defer { (lines + urls + [authorities]).forEach { free($0) } }
            var problem: UnsafePointer<CChar>?
            let floor = lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
                urls.map { UnsafePointer($0) }.withUnsafeBufferPointer { urls in
                    errand_floor_make(
                        urls.baseAddress, Int32(urls.count), Int32(lanes), lines.baseAddress, Int32(lines.count),
                        authorities, &problem)
                }
            }
            guard let floor else { throw Failure(problem.map { String(cString: $0) } ?? "cannot create the loop") }
            self.floor = floor
        }

        deinit { errand_floor_free(floor) }
    }

    /// The context of the C callback.
    private struct Run {
        var lane: Block.Lane
        let read: Reader
        var responses = 0
        var failure: (any Error)?

        static let received: errand_floor_received = { context, status, bytes, count in
            guard let run = context?.assumingMemoryBound(to: Run.self) else { return false }
            run.pointee.responses += 1
            do {
                try run.pointee.read(status, UnsafeRawBufferPointer(start: bytes, count: count))
            } catch {
                run.pointee.failure = error
            }
            return run.pointee.failure == nil && run.pointee.lane.next()
        }
    }
}
