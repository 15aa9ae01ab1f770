import Errand
import ErrandSupport

/// The default options of a user: lines of `name = value` with the names of long options, and comments after `#`.
package struct ConfigurationFile: Sendable, Equatable {
    private struct Setting: Sendable, Equatable {
        let name: String
        let value: String
        let line: Int
    }

    /// The path in a form that is safe to print.
    private let path: String
    private var settings: [Setting] = []
    /// Whether the file is readable by other users.
    package var isShared: Bool = false
    /// The home folder, which replaces a leading `~` of a folder.
    package var home: String?

    /// Parses the text of a file.
    ///
    /// - Throws: ``UsageError`` with the file and the number of an invalid line. It does not contain the text of the
    ///   line, which may be a key.
    package init(_ text: String, path: String) throws(UsageError) {
        self.path = path.singleLine()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.isBlankOrComment {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("\(location(index + 1)): expected NAME = VALUE or a comment that begins with #")
            }
            settings.append(Setting(name: parts[0], value: parts[1], line: index + 1))
        }
    }

    private func location(_ line: Int) -> String { "\(path):\(line)" }
}

extension ConfigurationFile {
    /// Returns the default options of a command. All settings are validated. The settings of other commands are
    /// ignored.
    func options(for name: CommandName) throws(UsageError) -> GalleryOptions {
        let command = name.description
        let all = CommandName.allCases.flatMap(\.description.options)
        var (options, others) = (GalleryOptions(), GalleryOptions())
        for setting in settings {
            guard let option = all.first(where: { $0.name == "--" + setting.name }) else {
                guard setting.name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
                    throw UsageError("\(location(setting.line)): expected NAME = VALUE or a comment that begins with #")
                }
                let near = all.map { String($0.name.dropFirst(2)) }.nearest(to: setting.name)
                throw UsageError(
                    "\(location(setting.line)): unknown name \(setting.name.quoted)",
                    hint: near.map { "did you mean \($0)?" } ?? "expected the name of a long option")
            }
            do throws(UsageError) {
                if command.options.contains(where: { $0.name == option.name }) {
                    try option.apply(value(of: setting), &options)
                } else {
                    try option.apply(setting.value, &others)
                }
            } catch {
                throw UsageError("\(location(setting.line)): \(error.problem)", hint: error.hint)
            }
        }
        // The links that other commands print lead to the port of `gallery serve`.
        if !command.options.contains(where: { $0.name == GalleryOption.port.name }) {
            options.serving.port = others.serving.port
        }
        if isShared, settings.contains(where: { ["access-key", "require-key"].contains($0.name) }) {
            options.warnings = ["\(path) contains a key and is readable by other users (run chmod 600 on it)"]
        }
        return options
    }

    /// Returns the value of a setting. It expands `~` in the path of a folder, because no shell does that here.
    private func value(of setting: Setting) -> String {
        guard ["output", "cache"].contains(setting.name), setting.value.hasPrefix("~/") || setting.value == "~",
            let home
        else {
            return setting.value
        }
        return home + setting.value.dropFirst()
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    fileprivate var isBlankOrComment: Bool {
        first { !$0.isWhitespace }.map { $0 == "#" } ?? true
    }
}
