import Foundation

/// Waits until a registered descriptor is readable or writable. Uses poll(2), which Linux and Darwin both have.
struct Poller {
    struct Interest: OptionSet {
        let rawValue: Int16
        static let reading = Self(rawValue: Int16(POLLIN))
        static let writing = Self(rawValue: Int16(POLLOUT))
    }

    struct Event {
        let token: Int
        let isReadable: Bool
        let isWritable: Bool
        /// The peer has closed both directions, or the descriptor is unusable.
        let isBroken: Bool
    }

    private var descriptors: [pollfd] = []
    private var tokens: [Int] = []
    private var indices: [Int: Int] = [:]

    /// Adds a descriptor with a unique token.
    mutating func add(_ descriptor: Int32, token: Int, interest: Interest) {
        indices[token] = descriptors.count
        tokens.append(token)
        descriptors.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
    }

    mutating func change(_ token: Int, to interest: Interest) {
        guard let index = indices[token] else { return }
        descriptors[index].events = interest.rawValue
    }

    mutating func remove(_ token: Int) {
        guard let index = indices.removeValue(forKey: token) else { return }
        descriptors.swapAt(index, descriptors.count - 1)
        tokens.swapAt(index, tokens.count - 1)
        descriptors.removeLast()
        tokens.removeLast()
        if index < tokens.count { indices[tokens[index]] = index }
    }

    /// Replaces `events` with the ready descriptors, after at most `timeout`. If `nil`, the wait has no limit.
    ///
    /// A signal can end the wait early, without events.
    mutating func wait(_ timeout: Duration?, into events: inout [Event]) {
        events.removeAll(keepingCapacity: true)
        var remaining = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
        for index in descriptors.indices where remaining > 0 {
            let found = Int32(descriptors[index].revents)
            guard found != 0 else { continue }
            remaining -= 1
            events.append(
                Event(
                    token: tokens[index], isReadable: found & Int32(POLLIN) != 0,
                    isWritable: found & Int32(POLLOUT) != 0,
                    isBroken: found & Int32(POLLERR | POLLHUP | POLLNVAL) != 0))
        }
    }

    /// Converts a timeout to milliseconds. Rounds up, so that a timer has expired when the wait for it ends.
    static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        guard timeout > .zero else { return 0 }
        guard timeout < .seconds(3600) else { return 3_600_000 }
        let (seconds, attoseconds) = timeout.components
        return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
