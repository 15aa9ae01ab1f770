import Foundation

extension Executable {
    /// Runs the program and waits for its end. Only macOS and Linux have `Process`. On other platforms this throws.
    func runBlocking(
        _ arguments: [String], _ input: String, _ environment: [String: String]
    ) throws -> Ending {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = url
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let (feed, output) = (Pipe(), Pipe())
            process.standardInput = feed
            process.standardOutput = output
            try process.run()
            Thread.detachNewThread { [handle = feed.fileHandleForWriting] in
                try? handle.write(contentsOf: Data(input.utf8))
                try? handle.close()
            }
            let printed = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let isSignal = process.terminationReason == .uncaughtSignal
            return Ending(
                output: String(decoding: printed, as: UTF8.self), status: process.terminationStatus,
                signal: isSignal ? process.terminationStatus : nil)
        #else
            throw POSIXError(.ENOSYS)
        #endif
    }
}
