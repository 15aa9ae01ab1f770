import Foundation

/// The time that this process has used so far, in microseconds.
struct ProcessClock {
    /// The CPU time of all threads, user and system.
    let cpu: Double
    /// The wall-clock time.
    let wall: Double

    static var now: ProcessClock {
        var usage = rusage()
        getrusage(ownProcess, &usage)
        return ProcessClock(
            cpu: microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            wall: Double(DispatchTime.now().uptimeNanoseconds) / 1_000)
    }

    /// The value of `RUSAGE_SELF`. On Linux, the constant has another type than the parameter of `getrusage`.
    private static let ownProcess: Int32 = 0

    private static func microseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec)
    }
}
