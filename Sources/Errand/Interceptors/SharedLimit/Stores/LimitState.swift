/// The state of one limit of a ``LimitStore``: the generic cell rate algorithm, with the limits that the server reports.
/// It does no I/O.
///
/// All times are in microseconds on the clock of the store, and all numbers are below 2^53. Another implementation, such as
/// a script in Lua, has exactly the same results with integers in 64-bit floating-point numbers.
package struct LimitState: Sendable, Hashable {
    /// The longest time of a demand, an observation, or a full burst: one day.
    package static let longest: Int64 = 86_400_000_000
    /// The maximum difference between two reports of the same reset time, as in the limits of one process.
    private static let tolerance: Int64 = 2_000_000

    /// The time at which the state was created. It tells a new state from an earlier one that was lost.
    package private(set) var createdAt: Int64
    /// The time at which the whole burst is available.
    package private(set) var fullAt: Int64 = 0
    /// The end of the pause that the server demanded.
    package private(set) var pausedUntil: Int64 = 0
    /// The reset of a quota that the reservations have used up. Later reservations are behind it.
    package private(set) var usedUpUntil: Int64 = 0
    /// The time of the latest reservation.
    package private(set) var lastAt: Int64 = 0
    /// The time of the latest reservation before ``usedUpUntil``.
    package private(set) var earlyUntil: Int64 = 0
    /// The sum of all pauses since the creation.
    package private(set) var pauses: Int64 = 0
    /// The remaining requests of the server's quota, which is valid until ``resetAt``.
    package private(set) var remaining: Int64 = 0
    package private(set) var resetAt: Int64 = 0
    /// The time of the last change.
    package private(set) var changedAt: Int64

    /// Creates a state of a limit that was never used.
    package init(at now: Int64) {
        (createdAt, changedAt) = (now, now)
    }

    /// Whether a new state would decide in the same way.
    package func isIdle(at now: Int64) -> Bool {
        max(fullAt, pausedUntil, usedUpUntil, resetAt) <= now
    }

    /// Moves all times if the clock of the store went back, so that all waits stay as they were at the last change. Until
    /// the pauses of that time have ended, they may seem longer than they are.
    package mutating func follow(_ now: Int64) {
        let shift = changedAt - now
        guard shift > 0 else { return }
        fullAt = max(0, fullAt - shift)
        pausedUntil = max(0, pausedUntil - shift)
        usedUpUntil = max(0, usedUpUntil - shift)
        lastAt = max(0, lastAt - shift)
        earlyUntil = max(0, earlyUntil - shift)
        resetAt = max(0, resetAt - shift)
        changedAt = now
    }

    /// Reserves the next free time. An earlier time than that of the last change counts as that time, because concurrent
    /// callers may read a monotonic clock in another order.
    package mutating func take(_ demand: LimitDemand, at time: Int64) -> LimitDecision {
        let now = advance(to: time)
        let (step, burst) = demand.rate.microseconds
        let requests = demand.requests
        var start = max(now, pausedUntil, usedUpUntil)
        let isCounted = resetAt > start
        let isUsedUp = isCounted && remaining < requests
        if isUsedUp { start = resetAt }
        let full = max(fullAt, start) + requests * step
        let slot = max(start, full - burst)
        let maximum = demand.maximumWait.limitedMicroseconds
        guard slot - now <= maximum else {
            return .refused(LimitRefusal(wait: .microseconds(slot - now), isFromServer: start - now > maximum))
        }
        // Later reservations are behind the reset, too, although a response may still report remaining requests.
        if isUsedUp {
            (usedUpUntil, earlyUntil) = (start, lastAt)
        } else if isCounted {
            remaining -= requests
        }
        (fullAt, lastAt) = (full, max(lastAt, slot))
        return .granted(LimitGrant(wait: .microseconds(slot - now), mark: mark))
    }

    /// Returns a reservation with the pauses that were added since its mark.
    package func update(_ grant: LimitGrant) -> LimitGrant {
        let parts = grant.mark.split(separator: " ").compactMap { Int64($0) }
        guard parts.count == 2, parts[0] == createdAt else { return LimitGrant(wait: .zero, mark: mark) }
        let added = min(max(0, pauses - max(0, parts[1])), Self.longest)
        return LimitGrant(wait: .microseconds(added), mark: mark)
    }

    /// The remaining requests of a quota, within the bounds of a state.
    package static func remaining(of quota: LimitObservation.Quota) -> Int64 {
        min(Int64(max(0, quota.remaining)), longest)
    }

    /// Adds the limits that a response reports.
    package mutating func observe(_ observation: LimitObservation, at time: Int64) {
        let now = advance(to: time)
        if let pause = observation.pause { stop(until: now + pause.limitedMicroseconds, now) }
        guard let quota = observation.quota, quota.reset.limitedMicroseconds > 0 else { return }
        let reported = Self.remaining(of: quota)
        let reset = now + quota.reset.limitedMicroseconds
        if resetAt > now, abs(resetAt - reset) <= Self.tolerance {
            // Responses can arrive out of order, and requests that are on their way are not counted in them.
            remaining = min(remaining, reported)
        } else {
            (remaining, resetAt) = (reported, reset)
        }
        // If reservations before the reset are waiting, other clients of the account have used the quota.
        if reported == 0 { stop(until: resetAt, now) }
    }
}

extension LimitState {
    private var mark: String { "\(createdAt) \(pauses)" }

    /// Adds a pause. All reservations after its start move by the same time, so that their order and distance remain.
    private mutating func stop(until end: Int64, _ now: Int64) {
        let start = max(pausedUntil, now)
        // If no reservation before the reset is waiting, the others are already behind it.
        let added = end - (earlyUntil > now ? start : max(start, usedUpUntil))
        guard added > 0 else { return }
        pausedUntil = end
        pauses += added
        fullAt += added
        if lastAt > now { lastAt += added }
        if earlyUntil > now { earlyUntil += added }
        // Far below 2^53. The state then counts as a new one.
        if pauses > Self.longest * 10_000 { (createdAt, pauses) = (now, 0) }
    }

    private mutating func advance(to now: Int64) -> Int64 {
        changedAt = max(changedAt, now)
        return changedAt
    }
}

extension LimitState {
    /// Ten decimal numbers and the version of the format, in one line.
    package var storedForm: Data {
        let numbers = [
            createdAt, fullAt, pausedUntil, usedUpUntil, lastAt, earlyUntil, pauses, remaining, resetAt, changedAt,
        ].map { String($0) }
        return Data("limit1 \(numbers.joined(separator: " "))\n".utf8)
    }

    /// Decodes the first line of a stored form. Returns `nil` if it is malformed.
    package init?(storedForm: Data) {
        let line = storedForm.prefix { $0 != UInt8(ascii: "\n") }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard line.count < storedForm.count, parts.count == 11, parts[0] == "limit1" else { return nil }
        let numbers = parts.dropFirst().compactMap { Int64($0) }
        guard numbers.count == 10, numbers.allSatisfy({ (0..<1 << 53).contains($0) }) else { return nil }
        (createdAt, fullAt, pausedUntil) = (numbers[0], numbers[1], numbers[2])
        (usedUpUntil, lastAt, earlyUntil) = (numbers[3], numbers[4], numbers[5])
        (pauses, remaining, resetAt, changedAt) = (numbers[6], numbers[7], numbers[8], numbers[9])
    }
}

extension Duration {
    /// The whole microseconds, limited to a thousand years.
    package var wholeMicroseconds: Int64 {
        let longest = Duration.seconds(31_557_600_000)
        let (seconds, attoseconds) = min(max(.zero - longest, self), longest).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// The whole microseconds, from zero to one day.
    package var limitedMicroseconds: Int64 { min(max(0, wholeMicroseconds), LimitState.longest) }
}

extension LimitDemand {
    /// The number of requests that the demand counts as.
    package var requests: Int64 {
        let (step, burst) = rate.microseconds
        return min(Int64(max(1, cost)), max(1, burst / step))
    }
}

extension RateLimitInterceptor.Policy.Rate {
    /// The time of one request, and that of the whole burst, in microseconds. The time of a request is rounded up, so that
    /// the rate is not exceeded.
    package var microseconds: (step: Int64, burst: Int64) {
        let requests = Int64(min(max(1, self.requests), 1_000_000_000))
        let step = max(1, (interval.limitedMicroseconds + requests - 1) / requests)
        return (step, min(step * Int64(min(max(1, burst), 1_000_000)), LimitState.longest))
    }
}
