import Errand
import ErrandSupport

/// An option of a command, from which the parser, the help, the manual and the completions are built.
struct GalleryOption: Sendable {
    /// Applies an argument to the options, or throws an error. The argument of a flag is `yes` or `no`.
    typealias Apply = @Sendable (_ text: String, _ options: inout GalleryOptions) throws(UsageError) -> Void

    /// The name with its two dashes.
    let name: String
    /// The short name with its dash, such as `-o`, or `nil`.
    let short: String?
    /// The placeholder of the value in the help text, or `nil` for a flag.
    let placeholder: String?
    let summary: String
    /// The valid values. Empty if the value is not a choice.
    let choices: [String]
    let apply: Apply

    var takesValue: Bool { placeholder != nil }
    /// Whether the value is the path of a folder.
    var isFolder: Bool { placeholder == "DIR" }
    /// The long name and, if there is one, the short name.
    var names: [String] { [name] + [short].compactMap(\.self) }
    /// The names as in the manual, such as `-o, --output DIR`.
    var usage: String {
        let long = [name, placeholder].compactMap(\.self).joined(separator: " ")
        return [short, long].compactMap(\.self).joined(separator: ", ")
    }

    private init(
        _ name: String, _ short: String?, _ placeholder: String?, _ summary: String, choices: [String] = [],
        apply: @escaping Apply
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.summary = summary
        self.choices = choices
        self.apply = apply
    }
}

extension GalleryOption {
    typealias Path<Value> = any WritableKeyPath<GalleryOptions, Value> & Sendable

    static func flag(_ name: String, _ path: Path<Bool>, _ summary: String) -> GalleryOption {
        flag(name, summary) { $1[keyPath: path] = $0 }
    }

    static func flag(
        _ name: String, short: String? = nil, _ summary: String,
        set: @escaping @Sendable (Bool, inout GalleryOptions) -> Void
    ) -> GalleryOption {
        GalleryOption(name, short, nil, summary) { text, options throws(UsageError) in
            guard ["yes", "no"].contains(text) else { throw UsageError("\(name) takes yes or no, not \(text.quoted)") }
            set(text == "yes", &options)
        }
    }

    static func number(
        _ name: String, short: String? = nil, _ path: Path<Int>, _ range: ClosedRange<Int>, _ summary: String
    ) -> GalleryOption {
        let initial = GalleryOptions()[keyPath: path]
        return number(name, short: short, range, "\(summary) (default: \(initial))") { $1[keyPath: path] = $0 }
    }

    static func number(
        _ name: String, short: String? = nil, _ range: ClosedRange<Int>, _ summary: String,
        set: @escaping @Sendable (Int, inout GalleryOptions) -> Void
    ) -> GalleryOption {
        GalleryOption(name, short, "N", summary) { text, options throws(UsageError) in
            guard let number = Int(text), range.contains(number) else {
                let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
                throw UsageError("\(name) takes \(wanted), not \(text.quoted)")
            }
            set(number, &options)
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, placeholder: String, _ summary: String
    ) -> GalleryOption {
        let names = Choice.allCases.map(\.rawValue)
        let initial = GalleryOptions()[keyPath: path].rawValue
        let text = "\(summary): \(names.alternatives) (default: \(initial))"
        return GalleryOption(name, nil, placeholder, text, choices: names) { text, options throws(UsageError) in
            guard let choice = Choice(rawValue: text) else {
                let near = names.nearest(to: text).map { "did you mean \($0)?" }
                throw UsageError("\(name) takes \(names.alternatives), not \(text.quoted)", hint: near)
            }
            options[keyPath: path] = choice
        }
    }

    static func text(
        _ name: String, short: String? = nil, placeholder: String, _ summary: String, apply: @escaping Apply
    ) -> GalleryOption {
        GalleryOption(name, short, placeholder, summary) { text, options throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("\(name) needs a value") }
            try apply(text, &options)
        }
    }
}

extension [String] {
    /// The strings as a list, such as `a, b or c`.
    var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + (last ?? "")
    }
}

extension String {
    /// User input in quotes, truncated and safe to print.
    var quoted: String { "'\(singleLine(limit: 60))'" }
}
