import Foundation

/// The resident memory of this process in bytes, as Linux reports it. Zero on other platforms.
enum ResidentMemory {
    static var now: Int { read("VmRSS") }

    /// The peak since the start of the process or the last ``forgetPeak()``.
    static var peak: Int { read("VmHWM") }

    /// Resets the peak.
    static func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    private static func read(_ name: String) -> Int {
        guard let file = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return 0 }
        let line = String(decoding: file, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name):") }
        let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        return (kilobytes ?? 0) * 1_024
    }
}
