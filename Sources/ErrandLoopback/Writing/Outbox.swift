package import Foundation

/// The pending output of one connection and its timing: a value type that never touches a socket.
package struct Outbox {
    package enum Step: Equatable {
        /// The number of bytes that may be sent now.
        case bytes(Int)
        /// Nothing may be sent for this time. ``resume()`` ends the wait.
        case wait(Duration)
        /// The wait that a previous step announced is not over.
        case waiting
        case empty
    }

    private enum Item {
        case data(Data)
        case pause(Duration)
    }

    /// The size in bytes above which data is not copied until it is about to be sent.
    private static let copiedAtOnce = 1 << 16

    private var buffer = ByteQueue()
    private var items: [Item] = []
    private var bytesInItems = 0
    private var allowance: Int?
    private var pace: LoopbackReply.Pace?
    private var credit = 0
    private var isWaiting = false

    package init() {}

    package var byteCount: Int { buffer.count + bytesInItems }
    package var isEmpty: Bool { buffer.isEmpty && items.isEmpty }
    /// Whether the limit of ``allow(_:)`` is reached. All further bytes are dropped.
    package var isCutOff: Bool { allowance == 0 }

    /// Limits the number of further bytes that can be appended.
    package mutating func allow(_ bytes: Int) {
        allowance = bytes
    }

    mutating func setPace(_ pace: LoopbackReply.Pace?) {
        self.pace = pace
        credit = pace?.bytesPerStep ?? 0
    }

    package mutating func append(_ bytes: [UInt8]) {
        let count = admitted(bytes.count)
        guard count > 0 else { return }
        if items.isEmpty { buffer.append(bytes.prefix(count)) } else { add(Data(bytes.prefix(count))) }
    }

    package mutating func append(_ data: Data) {
        let count = admitted(data.count)
        guard count > 0 else { return }
        guard items.isEmpty, count <= Self.copiedAtOnce else { return add(data.prefix(count)) }
        data.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    package mutating func appendPause(_ duration: Duration) {
        items.append(.pause(duration))
    }

    /// Returns the next step.
    package mutating func next() -> Step {
        if isWaiting { return .waiting }
        while buffer.isEmpty {
            guard let item = items.first else { return .empty }
            items.removeFirst()
            switch item {
            case .data(let data): refill(from: data)
            case .pause(let duration):
                isWaiting = true
                return .wait(duration)
            }
        }
        guard let pace else { return .bytes(buffer.count) }
        guard credit > 0 else {
            isWaiting = true
            return .wait(pace.interval)
        }
        return .bytes(min(credit, buffer.count))
    }

    /// Calls the closure with the buffered bytes, which can be more than ``next()`` allows to be sent.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withUnsafeBytes(body)
    }

    /// Removes bytes that were sent.
    package mutating func drop(_ count: Int) {
        buffer.drop(count)
        credit = max(credit - count, 0)
    }

    /// Ends a wait.
    package mutating func resume() {
        isWaiting = false
        credit = pace?.bytesPerStep ?? 0
    }

    private mutating func admitted(_ count: Int) -> Int {
        guard let allowance else { return count }
        let admitted = min(count, allowance)
        self.allowance = allowance - admitted
        return admitted
    }

    private mutating func add(_ data: Data) {
        items.append(.data(data))
        bytesInItems += data.count
    }

    /// Copies the front of `data` into the buffer, and puts the remaining data back to the front of the items.
    private mutating func refill(from data: Data) {
        let front = data.prefix(4 * Self.copiedAtOnce)
        front.withUnsafeBytes { buffer.append($0) }
        bytesInItems -= front.count
        if front.count < data.count { items.insert(.data(data.dropFirst(front.count)), at: 0) }
    }
}
