package import Errand
import Foundation

/// A message in the sources. Interpolations are wildcards.
package struct ErrorTemplate: Sendable, Hashable, CustomStringConvertible {
    /// The file and the line of the message.
    package let location: String
    /// The code of the error, or `nil` if a helper adds it.
    package let code: String?
    private let parts: [String]

    init(location: String, code: String?, parts: [String]) {
        self.location = location
        self.code = code
        self.parts = parts
    }

    /// The message. `…` stands for each interpolation.
    package var message: String { parts.joined(separator: "…") }

    package var description: String { "\(location): \(code.map { ".\($0) " } ?? "")\"\(message)\"" }

    /// Whether the text contains this message.
    package func matches(_ text: String, _ code: ServiceError.Code) -> Bool {
        guard self.code.map({ $0 == code.memberName }) ?? true else { return false }
        var rest = text[...]
        for part in parts where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    /// Returns the messages that a module passes to `ServiceError` or to one of its helpers.
    ///
    /// - Parameters:
    ///   - folder: The sources of the module.
    ///   - helpers: The functions with literal arguments that are messages, or parts of messages.
    ///   - members: The file and the name of each property with literals that are messages, such as `PageLink.crossOrigin`.
    /// - Returns: The messages, in the order of the files.
    /// - Throws: The error of a file that cannot be read.
    package static func all(in folder: String, helpers: Set<String>, members: Set<String>) throws -> [ErrorTemplate] {
        let folder = ErrorPage.root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.sorted().filter { $0.hasSuffix(".swift") }.flatMap { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            var scanner = MessageScanner(text, path: path, helpers: helpers, members: members)
            return scanner.templates()
        }
    }
}

extension [ErrorTemplate] {
    /// Compares the messages with the created errors.
    ///
    /// - Returns: The messages that neither an entry nor an exemption covers, and the messages of unneeded exemptions.
    package func gaps(
        _ entries: [ErrorEntry], _ exemptions: [ErrorExemption]
    ) -> (uncovered: [ErrorTemplate], unneeded: Set<String>) {
        let missing = filter { template in !entries.contains { template.matches($0.reason, $0.code) } }
        let exempt = Set(exemptions.map(\.message))
        return (missing.filter { !exempt.contains($0.message) }, exempt.subtracting(missing.map(\.message)))
    }
}
