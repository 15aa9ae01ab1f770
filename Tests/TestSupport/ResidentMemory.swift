import Foundation

/// The resident memory of this process.
package enum ResidentMemory {
    /// The size in bytes, or 0 if it is unknown.
    package static var now: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
