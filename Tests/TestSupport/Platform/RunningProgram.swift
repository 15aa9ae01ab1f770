import Foundation

/// A running program. A test writes lines to it, and reads its lines one at a time.
package final class RunningProgram: Sendable {
    private let input: FileHandle
    private let output: AsyncStream<String>
    private let ended: AsyncStream<Int32>

    /// Starts a program. Only macOS and Linux have `Process`. On other platforms this throws.
    package init(_ program: Executable, _ arguments: [String] = []) throws {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = program.url
            process.arguments = arguments
            let (feed, printed) = (Pipe(), Pipe())
            process.standardInput = feed
            process.standardOutput = printed
            input = feed.fileHandleForWriting
            let (output, lines) = AsyncStream<String>.makeStream()
            let (ended, status) = AsyncStream<Int32>.makeStream()
            (self.output, self.ended) = (output, ended)
            process.terminationHandler = {
                status.yield($0.terminationStatus)
                status.finish()
            }
            try process.run()
            // A separate thread, because reading blocks.
            Thread.detachNewThread { [handle = printed.fileHandleForReading] in
                var rest = Data()
                while let bytes = try? handle.read(upToCount: 1), !bytes.isEmpty {
                    guard bytes.first == UInt8(ascii: "\n") else {
                        rest.append(bytes)
                        continue
                    }
                    lines.yield(String(decoding: rest, as: UTF8.self))
                    rest = Data()
                }
                lines.finish()
            }
        #else
            throw POSIXError(.ENOSYS)
        #endif
    }

    /// Writes a line.
    package func write(_ line: String) throws {
        try input.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Returns the next line of the output, or `nil` at its end.
    package func next() async -> String? {
        for await line in output { return line }
        return nil
    }

    /// Ends the input. Returns the exit status, or `nil` if it is unknown.
    package func end() async throws -> Int32? {
        try input.close()
        for await status in ended { return status }
        return nil
    }
}
