/// What follows a benchmark's name: numbers and words, and options as `--name value`.
struct Arguments {
    private(set) var words: [String] = []
    private var options: [String: String] = [:]

    /// Takes a command line apart; the options' names are allowed without their dashes.
    init(_ arguments: some Sequence<String>, options allowed: Set<String> = []) throws(Failure) {
        var rest = Array(arguments)[...]
        while let next = rest.popFirst() {
            guard next.hasPrefix("--") else {
                words.append(next)
                continue
            }
            let name = String(next.dropFirst(2))
            guard allowed.contains(name) else { throw Failure("there is no option \(next)") }
            guard let value = rest.popFirst() else { throw Failure("\(next) needs a value") }
            options[name] = value
        }
    }

    subscript(name: String) -> String? { options[name] }

    /// An option's whole number above zero.
    func number(_ name: String) throws(Failure) -> Int? {
        guard let text = options[name] else { return nil }
        guard let number = Int(text), number > 0 else { throw Failure("--\(name) needs a number above zero") }
        return number
    }

    /// The numbers above zero of an option, with commas between.
    func numbers(_ name: String) throws(Failure) -> [Int]? {
        guard let text = options[name] else { return nil }
        let numbers = text.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }
        guard !numbers.isEmpty else { throw Failure("--\(name) needs numbers above zero, with commas between") }
        return numbers
    }

    /// The first word's whole number above zero.
    func number() -> Int? { words.first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
}
