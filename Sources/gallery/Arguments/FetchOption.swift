import Errand

/// One option of `gallery fetch`: the description that both the parser and the help text are made of.
struct FetchOption: Sendable {
    /// Puts an argument into the options, or says what is wrong with it; a flag gets an empty text.
    typealias Apply = @Sendable (_ text: String, _ options: inout FetchOptions) throws(UsageError) -> Void

    /// The name with its two dashes.
    let name: String
    /// What stands for the value in the help text; nil for a flag.
    let placeholder: String?
    let summary: String
    let apply: Apply

    var takesValue: Bool { placeholder != nil }

    private init(_ name: String, _ placeholder: String?, _ summary: String, apply: @escaping Apply) {
        self.name = name
        self.placeholder = placeholder
        self.summary = summary
        self.apply = apply
    }
}

extension FetchOption {
    typealias Path<Value> = any WritableKeyPath<FetchOptions, Value> & Sendable

    static func flag(_ name: String, _ path: Path<Bool>, _ summary: String) -> FetchOption {
        FetchOption(name, nil, summary) { _, options in options[keyPath: path] = true }
    }

    static func number(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ summary: String
    ) -> FetchOption {
        let initial = FetchOptions()[keyPath: path]
        return FetchOption(name, "N", "\(summary) (default: \(initial))") { text, options throws(UsageError) in
            guard let number = Int(text), range.contains(number) else {
                let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
                throw UsageError("\(name) takes \(wanted), not \(text.quoted)")
            }
            options[keyPath: path] = number
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, placeholder: String, _ summary: String
    ) -> FetchOption {
        let names = Choice.allCases.map(\.rawValue)
        let initial = FetchOptions()[keyPath: path].rawValue
        let text = "\(summary): \(names.alternatives) (default: \(initial))"
        return FetchOption(name, placeholder, text) { text, options throws(UsageError) in
            guard let choice = Choice(rawValue: text) else {
                let near = names.nearest(to: text).map { "did you mean \($0)?" }
                throw UsageError(
                    "\(name) takes \(names.alternatives), not \(text.quoted)",
                    hint: near ?? "see gallery fetch --help")
            }
            options[keyPath: path] = choice
        }
    }

    static func text(_ name: String, placeholder: String, _ summary: String, apply: @escaping Apply) -> FetchOption {
        FetchOption(name, placeholder, summary) { text, options throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("\(name) needs a value") }
            try apply(text, &options)
        }
    }
}

extension [String] {
    /// `a, b or c`.
    var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + (last ?? "")
    }
}

extension String {
    /// What a user typed, as it may stand in a message.
    var quoted: String { "'\(singleLine(limit: 60))'" }
}
