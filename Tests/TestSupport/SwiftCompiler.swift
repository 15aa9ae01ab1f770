package import Foundation

/// The Swift compiler of the toolchain, for tests of code that must not compile. It uses the modules of the current
/// build.
package struct SwiftCompiler: Sendable {
    private let compiler: URL
    private let modules: URL
    private let map: URL

    /// Finds the compiler in `PATH` and the modules next to the test bundle. Returns `nil` if either is missing.
    package init?() {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
        let build = Executable(product: "wire-fuzz")?.url.deletingLastPathComponent()
        guard let found, let build else { return nil }
        compiler = found
        modules = build.appending(path: "Modules")
        map = build.appending(path: "CErrandCurl.build/module.modulemap")
        guard FileManager.default.fileExists(atPath: modules.path(percentEncoded: false)) else { return nil }
    }

    /// Type-checks a file. Returns the compiler's output, which is empty for valid code.
    package func complaints(about file: URL, _ flags: [String] = []) async throws -> String {
        var arguments = [compiler, "-typecheck", "-swift-version", "6", "-I", modules] as [Any]
        if FileManager.default.fileExists(atPath: map.path(percentEncoded: false)) {
            arguments += ["-Xcc", "-fmodule-map-file=" + map.path(percentEncoded: false)]
        }
        arguments += flags + [file]
        let words = arguments.map { ($0 as? URL)?.path(percentEncoded: false) ?? "\($0)" }
        // The shell only redirects standard error to standard output, because the compiler prints its diagnostics
        // there.
        let shell = Executable(file: URL(filePath: "/bin/sh"))
        let ending = try await shell.ending(["-c", #"exec "$@" 2>&1"#, "sh"] + words)
        if ending.status != 0, ending.output.isEmpty { return "status \(ending.status)" }
        return ending.output
    }
}
