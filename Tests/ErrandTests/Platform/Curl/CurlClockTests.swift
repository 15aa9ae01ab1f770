#if os(Linux)
    import Errand
    import Testing

    @Suite struct CurlClockTests {
        @Test(
            arguments: [
                (Duration.zero, 0), (.seconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
                (.microseconds(1_001), 2),
                (.microseconds(999), 1), (.milliseconds(1_500), 1_500), (.seconds(60), 60_000),
                (.seconds(86_399), 86_399_000),
                (.seconds(86_400), 86_400_000), (.seconds(172_800), 172_800_000),
                (.seconds(Int64.max), 3_155_760_000_000),
                (.seconds(Int64.min), 0), (Duration(secondsComponent: 1, attosecondsComponent: 1), 1_001),
                (Duration(secondsComponent: 86_399, attosecondsComponent: 999_999_999_999_999_999), 86_400_000),
            ] as [(Duration, Int64)])
        func `a duration is rounded up to milliseconds, up to a century`(duration: Duration, milliseconds: Int64) {
            #expect(duration.wholeMilliseconds == milliseconds)
        }

        private func clock(idle: Duration = .milliseconds(500), deadline: Duration? = nil) -> CurlClock {
            let iteration = CurlClock.Iteration()
            iteration.begin()
            return CurlClock(idle: idle, deadline: deadline, iteration: iteration)
        }

        @Test func `the idle timeout is counted from the last byte`() {
            let iteration = CurlClock.Iteration()
            iteration.begin()
            let clock = CurlClock(idle: .milliseconds(500), deadline: nil, iteration: iteration)
            clock.begin()
            let start = iteration.now
            #expect(clock.deadline == .max && clock.due == start + 500)
            #expect(clock.complaint(at: start + 499) == nil)
            #expect(clock.complaint(at: start + 500)?.code == .timeout)
            iteration.begin()
            clock.touch()
            #expect(clock.due == iteration.now + 500)
        }

        @Test func `a paused transfer has a deadline but no idle timeout`() {
            let clock = clock(deadline: .seconds(5))
            clock.begin()
            clock.pause()
            #expect(clock.hasPaused && clock.due == clock.deadline)
            #expect(clock.complaint(at: clock.deadline - 1) == nil)
            #expect(clock.complaint(at: clock.deadline)?.reason == "the deadline of the call passed")
            clock.resume()
            #expect(!clock.hasPaused && clock.due < clock.deadline)
            #expect(clock.complaint(at: clock.due)?.code == .timeout)
            #expect(clock.complaint(at: clock.due)?.reason != "the deadline of the call passed")
        }

        @Test func `only the deadline applies in the queue`() {
            let clock = clock(idle: .milliseconds(1), deadline: .seconds(5))
            #expect(clock.lateness(at: clock.deadline - 1) == nil)
            #expect(clock.lateness(at: clock.deadline)?.code == .timeout)
            #expect(clock.queued >= .zero)
            clock.begin()
            #expect(clock.queued < .seconds(5))
        }

        @Test func `a passed deadline is an immediate timeout`() {
            let clock = clock(deadline: .seconds(-3))
            #expect(clock.lateness(at: CurlClock.now)?.code == .timeout)
        }
    }
#endif
