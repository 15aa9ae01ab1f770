/// The arguments after the name of a benchmark: words, and options as `--name value`.
struct Arguments {
    private(set) var words: [String] = []
    private var options: [String: String] = [:]

    /// Parses a command line. The names of the allowed options have no dashes.
    init(_ arguments: some Sequence<String>, options allowed: Set<String> = []) throws(Failure) {
        var rest = Array(arguments)[...]
        while let next = rest.popFirst() {
            guard next.hasPrefix("--") else {
                words.append(next)
                continue
            }
            let name = String(next.dropFirst(2))
            guard allowed.contains(name) else { throw Failure("unknown option \(next)") }
            guard let value = rest.popFirst() else { throw Failure("expected a value after \(next)") }
            options[name] = value
        }
    }

    subscript(name: String) -> String? { options[name] }

    /// The value of an option that is a positive integer.
    func number(_ name: String) throws(Failure) -> Int? {
        guard let text = options[name] else { return nil }
        guard let number = Int(text), number > 0 else {
            throw Failure("invalid value \"\(text)\" of --\(name): expected a positive integer")
        }
        return number
    }

    /// The value of an option that has several possible values. The default is the first one.
    func choice(_ name: String, _ values: [String]) throws(Failure) -> String {
        guard let text = options[name] else { return values[0] }
        guard values.contains(text) else {
            throw Failure("invalid value \"\(text)\" of --\(name): expected \(values.joined(separator: " or "))")
        }
        return text
    }

    /// The value of an option that is a comma-separated list of positive integers.
    func numbers(_ name: String) throws(Failure) -> [Int]? {
        guard let text = options[name] else { return nil }
        let numbers = text.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }
        guard !numbers.isEmpty else {
            throw Failure("invalid value \"\(text)\" of --\(name): expected positive integers, separated by commas")
        }
        return numbers
    }

    /// The first word, if it is a positive integer.
    func number() -> Int? { words.first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
}
