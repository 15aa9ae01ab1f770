import Foundation

/// Counts resources of this process in `/proc`. Selects them by port or name, because suites run concurrently.
enum ProcessUsage {
    /// The number of open sockets with a local port in this set.
    static func sockets(ofPorts ports: Set<Int>) throws -> Int {
        let rows = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
        let inodes = rows.compactMap { row -> String? in
            let columns = row.split(separator: " ")
            guard columns.count > 9, let port = columns[1].split(separator: ":").last else { return nil }
            return Int(port, radix: 16).map(ports.contains) == true ? String(columns[9]) : nil
        }
        let links = Set(inodes.map { "socket:[\($0)]" })
        return try descriptors().count { links.contains($0) }
    }

    /// The number of open pipe ends.
    static func pipes() throws -> Int {
        try descriptors().count { $0.hasPrefix("pipe:") }
    }

    /// The number of running threads with a name in this set.
    static func threads(named names: Set<String>) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name.map { names.contains($0.trimmingCharacters(in: .newlines)) } == true
        }
    }

    /// The targets of all descriptors, without those that are closed in the meantime.
    private static func descriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        }
    }
}
