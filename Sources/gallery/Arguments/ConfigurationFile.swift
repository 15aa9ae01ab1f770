import Errand
import ErrandSupport

/// What a user always wants: lines of `name = value` with the long options' names, and comments behind `#`.
package struct ConfigurationFile: Sendable, Equatable {
    private struct Setting: Sendable, Equatable {
        let name: String
        let value: String
        let line: Int
    }

    /// Where it is, as it may stand in a message.
    private let path: String
    private var settings: [Setting] = []
    /// Whether others than its owner may read it.
    package var isShared: Bool = false
    /// What `~/` at the beginning of a folder stands for.
    package var home: String?

    /// Reads the text of a file.
    ///
    /// - Throws: ``UsageError`` with the file and the line, for one that is no setting. It does not hold the line's own
    ///   text, which may be a key.
    package init(_ text: String, path: String) throws(UsageError) {
        self.path = path.singleLine()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.isBlankOrComment {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("\(place(index + 1)): a line is NAME = VALUE, or begins with #")
            }
            settings.append(Setting(name: parts[0], value: parts[1], line: index + 1))
        }
    }

    private func place(_ line: Int) -> String { "\(path):\(line)" }
}

extension ConfigurationFile {
    /// What a command begins with. Each setting is checked; those of other commands are left out.
    func options(for name: CommandName) throws(UsageError) -> GalleryOptions {
        let command = name.description
        let all = CommandName.allCases.flatMap(\.description.options)
        var (options, others) = (GalleryOptions(), GalleryOptions())
        for setting in settings {
            guard let option = all.first(where: { $0.name == "--" + setting.name }) else {
                guard setting.name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
                    throw UsageError("\(place(setting.line)): a line is NAME = VALUE, or begins with #")
                }
                let near = all.map { String($0.name.dropFirst(2)) }.nearest(to: setting.name)
                throw UsageError(
                    "\(place(setting.line)): unknown name \(setting.name.quoted)",
                    hint: near.map { "did you mean \($0)?" } ?? "names are those of the long options")
            }
            do throws(UsageError) {
                if command.options.contains(where: { $0.name == option.name }) {
                    try option.apply(value(of: setting), &options)
                } else {
                    try option.apply(setting.value, &others)
                }
            } catch {
                throw UsageError("\(place(setting.line)): \(error.problem)", hint: error.hint)
            }
        }
        // The links of other commands lead to the port of `gallery serve`.
        if !command.options.contains(where: { $0.name == GalleryOption.port.name }) {
            options.serving.port = others.serving.port
        }
        if isShared, settings.contains(where: { ["access-key", "require-key"].contains($0.name) }) {
            options.warnings = ["\(path) holds a key, and others can read it (chmod 600 takes that away)"]
        }
        return options
    }

    /// No shell has replaced what stands for the home folder.
    private func value(of setting: Setting) -> String {
        guard setting.name == "output", setting.value.hasPrefix("~/") || setting.value == "~", let home else {
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
