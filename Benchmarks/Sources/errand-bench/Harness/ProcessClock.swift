import Foundation

/// What this process has used so far, in microseconds.
struct ProcessClock {
    /// The processor time of all threads, in the program and in the system on its behalf.
    let cpu: Double
    /// The time on the clock on the wall.
    let wall: Double

    static var now: ProcessClock {
        var usage = rusage()
        getrusage(ownProcess, &usage)
        return ProcessClock(
            cpu: microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            wall: Double(DispatchTime.now().uptimeNanoseconds) / 1_000)
    }

    /// `RUSAGE_SELF`, whose name has another type than the function's parameter on Linux.
    private static let ownProcess: Int32 = 0

    private static func microseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec)
    }
}
