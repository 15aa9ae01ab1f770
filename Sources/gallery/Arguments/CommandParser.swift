import Errand

extension Command {
    /// Reads a command line, without the program's name; nothing outside the two arguments is looked at.
    ///
    /// `--help` and `--version` win wherever they stand before `--`. The environment gives the access key where the
    /// command line has none.
    package static func parse(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws(UsageError) -> Command {
        let name = arguments.first { !$0.hasPrefix("-") }
        for argument in arguments.prefix(while: { $0 != "--" }) {
            if ["--help", "-h"].contains(argument) { return .help(name == "fetch" ? .fetch : .overview) }
            if argument == "--version" { return .version }
        }
        guard let first = arguments.first else { throw UsageError("no command", hint: "try gallery fetch, or --help") }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "fetch": return .fetch(try FetchParser(rest).options(environment: environment))
        case "help": return try help(on: rest)
        default: throw unknown(first)
        }
    }

    private static func help(on arguments: [String]) throws(UsageError) -> Command {
        guard let topic = arguments.first else { return .help(.overview) }
        guard topic == "fetch", arguments.count == 1 else {
            throw UsageError("no help on \(topic.quoted)", hint: "try gallery help fetch")
        }
        return .help(.fetch)
    }

    private static func unknown(_ argument: String) -> UsageError {
        guard argument.hasPrefix("-") else {
            let near = ["fetch", "help"].nearest(to: argument)
            let hint = near.map { "did you mean gallery \($0)?" } ?? "try gallery fetch, or gallery --help"
            return UsageError("unknown command \(argument.quoted)", hint: hint)
        }
        let name = String(argument.prefix { $0 != "=" })
        guard FetchOption.all.contains(where: { $0.name == name }) else {
            return UsageError("unknown option \(name.quoted)", hint: "see gallery --help")
        }
        return UsageError("\(name) must follow the command", hint: "gallery fetch \(name) …")
    }
}

/// Reads what follows `gallery fetch`, from left to right; of an option given twice the last one counts.
private struct FetchParser {
    private var rest: ArraySlice<String>
    private var result = FetchOptions()

    init(_ arguments: [String]) {
        rest = arguments[...]
    }

    consuming func options(environment: [String: String]) throws(UsageError) -> FetchOptions {
        while let argument = rest.popFirst() {
            if argument == "--" {
                while let operand = rest.popFirst() { try take(operand: operand) }
            } else if argument.hasPrefix("-"), argument != "-" {
                try take(option: argument)
            } else {
                try take(operand: argument)
            }
        }
        if result.accessKey == nil, let key = environment[FetchOption.accessKeyVariable], !key.isEmpty {
            result.accessKey = try FetchOption.accessKey(key, from: FetchOption.accessKeyVariable)
        }
        try checkEnvironment()
        return result
    }

    private mutating func take(operand: String) throws(UsageError) {
        guard result.query == nil else {
            let hint = "put quotes around a query of several words"
            throw UsageError("unexpected argument \(operand.quoted)", hint: hint)
        }
        guard !operand.allSatisfy(\.isWhitespace) else {
            throw UsageError("the query is empty", hint: "leave it out to list the newest pictures")
        }
        result.query = operand
    }

    private mutating func take(option argument: String) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = FetchOption.all.first(where: { $0.name == parts[0] }) else {
            guard !["--help", "--version", "-h"].contains(parts[0]) else { throw Self.takesNoValue(parts[0]) }
            let dashed = "--" + parts[0].drop { $0 == "-" }
            let near = (FetchOption.all.map(\.name) + ["--help", "--version"]).nearest(to: dashed)
            throw UsageError(
                "unknown option \(parts[0].quoted)",
                hint: near.map { "did you mean \($0)?" } ?? "see gallery fetch --help")
        }
        if option.takesValue {
            try option.apply(parts.count > 1 ? parts[1] : value(of: option), &result)
        } else if parts.count > 1 {
            throw Self.takesNoValue(option.name)
        } else {
            try option.apply("", &result)
        }
    }

    private static func takesNoValue(_ name: String) -> UsageError {
        UsageError("\(name) takes no value", hint: "write \(name) alone")
    }

    private mutating func value(of option: FetchOption) throws(UsageError) -> String {
        let placeholder = option.placeholder ?? ""
        guard let value = rest.first else {
            throw UsageError("\(option.name) needs a value", hint: "\(option.name) \(placeholder)")
        }
        let isNumber = value.dropFirst().first?.isNumber ?? false
        guard !value.hasPrefix("-") || value == "-" || isNumber else {
            throw UsageError(
                "\(option.name) needs a value",
                hint: "write \(option.name)=\(placeholder) where the value begins with a dash")
        }
        rest = rest.dropFirst()
        return value
    }

    private func checkEnvironment() throws(UsageError) {
        if result.curl, result.json {
            throw UsageError("--curl prints commands, not objects", hint: "leave --json out")
        }
        switch result.environment {
        case .development: break
        case .staging:
            if result.baseURL == nil { throw UsageError("staging needs an address", hint: "add --base-url URL") }
        case .production:
            if result.baseURL != nil {
                throw UsageError("production has its own address", hint: "use --environment staging with --base-url")
            }
            if result.accessKey == nil {
                let hint = "give --access-key KEY or set \(FetchOption.accessKeyVariable)"
                throw UsageError("production needs an access key", hint: hint)
            }
        }
    }
}
