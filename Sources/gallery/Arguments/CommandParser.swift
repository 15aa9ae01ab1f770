import Errand

extension Command {
    /// Parses a command line without the program's name. It depends only on the three arguments.
    ///
    /// `--help` and `--version` have priority at any position before `--`. If the command line has no access key, it is
    /// read from the environment, then from the configuration file. Other options default to the configuration file,
    /// which is loaded only if the command has options.
    package static func parse(
        _ arguments: [String], environment: [String: String] = [:],
        configuration: () throws(UsageError) -> ConfigurationFile? = { nil }
    ) throws(UsageError) -> Command {
        let named = arguments.first { !$0.hasPrefix("-") }.flatMap(CommandName.init(rawValue:))
        for argument in arguments.prefix(while: { $0 != "--" }) {
            if ["--help", "-h"].contains(argument) { return .help(named.map(HelpTopic.command) ?? .overview) }
            if argument == "--version" { return .version }
        }
        guard let first = arguments.first else {
            throw UsageError("expected a command", hint: "try gallery fetch, or --help")
        }
        let rest = Array(arguments.dropFirst())
        if first == "help" { return try help(on: rest) }
        guard let name = CommandName(rawValue: first) else { throw unknown(first) }
        var defaults = GalleryOptions()
        if !name.description.options.isEmpty, let file = try configuration() { defaults = try file.options(for: name) }
        do throws(UsageError) {
            return try command(name, rest, environment, defaults)
        } catch {
            throw error.pointing(to: name)
        }
    }

    private static func command(
        _ name: CommandName, _ rest: [String], _ environment: [String: String], _ defaults: GalleryOptions
    ) throws(UsageError) -> Command {
        var start = defaults
        start.accessKey = nil
        start.cache.standardFolder = CachesFolder.path(environment).map { $0 + "/gallery" }
        // --curl overrides the output format of the file.
        if names("--curl", in: rest) { start.display.json = false }
        var (options, operands) = try CommandParser(name.description, rest, start).read()
        let operand = operands.first
        // The base URL of the file belongs to the environment of the file.
        if options.environment != defaults.environment, !names("--base-url", in: rest) { options.baseURL = nil }
        switch name {
        case .fetch:
            options.query = operand
            return .fetch(try options.completed(by: environment, defaults))
        case .search:
            options.query = operand
            return .search(try options.completed(by: environment, defaults))
        case .show:
            options.id = operand ?? ""
            return .show(try options.completed(by: environment, defaults))
        case .upload:
            options.files = operands
            try options.checkUploads()
            return .upload(try options.completed(by: environment, defaults))
        case .serve: return .serve(options)
        case .cache:
            return .cache(try choice(operand, of: name), options)
        case .completions:
            return .completions(try choice(operand, of: name))
        case .manual: return .manual
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ operand: String?, of command: CommandName
    ) throws(UsageError) -> Choice {
        if let choice = Choice(rawValue: operand ?? "") { return choice }
        let names = Choice.allCases.map(\.rawValue).alternatives
        throw UsageError("\(command.rawValue) takes \(names), not \((operand ?? "").quoted)")
    }

    private static func names(_ option: String, in arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == option || $0.hasPrefix(option + "=") }
    }

    private static func help(on arguments: [String]) throws(UsageError) -> Command {
        guard let topic = arguments.first else { return .help(.overview) }
        guard let name = CommandName(rawValue: topic), arguments.count == 1 else {
            throw UsageError("unknown help topic \(topic.quoted)", hint: "try gallery help fetch")
        }
        return .help(.command(name))
    }

    private static func unknown(_ argument: String) -> UsageError {
        guard argument.hasPrefix("-") else {
            let near = (CommandName.allCases.map(\.rawValue) + ["help"]).nearest(to: argument)
            let hint = near.map { "did you mean gallery \($0)?" } ?? "try gallery fetch, or gallery --help"
            return UsageError("unknown command \(argument.quoted)", hint: hint)
        }
        let name = String(argument.prefix { $0 != "=" })
        let owner = CommandName.allCases.first { $0.description.options.contains { $0.names.contains(name) } }
        guard let owner else {
            let near = CommandName.allCases.flatMap(\.description.options).map(\.name).nearest(to: name)
            let hint = near.map { "did you mean \($0)?" } ?? "see gallery --help"
            return UsageError("unknown option \(name.quoted)", hint: hint)
        }
        return UsageError("\(name) must follow the command", hint: "gallery \(owner.rawValue) \(name) …")
    }
}

/// Parses the arguments of a command from left to right. If an option occurs twice, the last one is used.
private struct CommandParser {
    private let command: CommandDescription
    private var rest: ArraySlice<String>
    private var result: GalleryOptions
    private var operands: [String] = []

    init(_ command: CommandDescription, _ arguments: [String], _ defaults: GalleryOptions) {
        self.command = command
        result = defaults
        rest = arguments[...]
    }

    consuming func read() throws(UsageError) -> (GalleryOptions, operands: [String]) {
        while let argument = rest.popFirst() {
            if argument == "--" {
                while let operand = rest.popFirst() { try take(operand: operand) }
            } else if argument.hasPrefix("-"), argument != "-" {
                try take(option: argument)
            } else {
                try take(operand: argument)
            }
        }
        if let wanted = command.operand, wanted.isRequired, operands.isEmpty {
            throw UsageError("\(wanted.placeholder) is missing", hint: wanted.hint)
        }
        return (result, operands)
    }

    private mutating func take(operand: String) throws(UsageError) {
        guard let wanted = command.operand, operands.isEmpty || wanted.isFiles else {
            let isQuery = command.operand?.placeholder == "QUERY"
            let hint = isQuery ? "put quotes around a query of several words" : nil
            throw UsageError("unexpected argument \(operand.quoted)", hint: hint)
        }
        guard !operand.allSatisfy(\.isWhitespace) else {
            let name = wanted.isFiles ? "path of a file" : wanted.placeholder.lowercased()
            throw UsageError("the \(name) is empty", hint: wanted.hint)
        }
        operands.append(operand)
    }

    private mutating func take(option argument: String) throws(UsageError) {
        let parts = parts(of: argument)
        guard let (option, setting) = self.option(named: parts[0]) else {
            guard !["--help", "--version", "-h"].contains(parts[0]) else { throw Self.takesNoValue(parts[0]) }
            let dashed = "--" + parts[0].drop { $0 == "-" }
            let taken = command.options.filter { !$0.takesValue }.map { "--no-" + $0.name.dropFirst(2) }
            let near = (command.options.map(\.name) + taken + ["--help", "--version"]).nearest(to: dashed)
            throw UsageError("unknown option \(parts[0].quoted)", hint: near.map { "did you mean \($0)?" })
        }
        if option.takesValue {
            try option.apply(parts.count > 1 ? parts[1] : value(of: option), &result)
        } else if parts.count > 1 {
            throw Self.takesNoValue(parts[0])
        } else {
            try option.apply(setting, &result)
        }
    }

    /// Splits an argument into the option's name and its value, if any: `--pages=3`, `-n=3` or `-n3`.
    ///
    /// Only a number may directly follow a short option. `-output` is a misspelled `--output`, not `-o utput`.
    private func parts(of argument: String) -> [String] {
        let (letter, rest) = (argument.prefix(2), argument.dropFirst(2))
        let isNumbered = command.options.contains { $0.short ?? "" == letter && $0.placeholder == "N" }
        if isNumbered, !rest.isEmpty, rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return [String(letter), String(rest)]
        }
        return argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the option and the value of a flag. `--no-html` overrides the configuration file.
    private func option(named name: String) -> (GalleryOption, setting: String)? {
        if let option = command.options.first(where: { $0.names.contains(name) }) { return (option, "yes") }
        guard name.hasPrefix("--no-") else { return nil }
        return command.options.first { !$0.takesValue && $0.name == "--" + name.dropFirst(5) }.map { ($0, "no") }
    }

    private static func takesNoValue(_ name: String) -> UsageError {
        UsageError("\(name) takes no value", hint: "write \(name) alone")
    }

    private mutating func value(of option: GalleryOption) throws(UsageError) -> String {
        let placeholder = option.placeholder ?? ""
        guard let value = rest.first else {
            throw UsageError("\(option.name) needs a value", hint: "\(option.name) \(placeholder)")
        }
        let isNumber = value.dropFirst().first?.isNumber ?? false
        guard !value.hasPrefix("-") || value == "-" || isNumber else {
            throw UsageError(
                "\(option.name) needs a value",
                hint: "write \(option.name)=\(placeholder) if the value begins with a dash")
        }
        rest = rest.dropFirst()
        return value
    }
}

extension GalleryOptions {
    /// Validates the options, and adds the access key of the environment or the configuration file for production.
    /// Other environments get only a key from the command line.
    fileprivate func completed(
        by environment: [String: String], _ defaults: GalleryOptions
    ) throws(UsageError) -> GalleryOptions {
        var options = self
        if limit.server != nil, let password = environment[GalleryOption.limitPasswordVariable], !password.isEmpty {
            options.limit.password = Secret(password)
        }
        guard self.environment == .production else {
            try options.check()
            return options
        }
        if accessKey == nil, let key = environment[GalleryOption.accessKeyVariable], !key.isEmpty {
            options.accessKey = try GalleryOption.accessKey(key, from: GalleryOption.accessKeyVariable)
        }
        options.accessKey = options.accessKey ?? defaults.accessKey
        try options.check()
        return options
    }

    /// Checks that the environment supports uploads.
    fileprivate func checkUploads() throws(UsageError) {
        guard environment == .development else {
            throw UsageError(
                "upload requires the environment development, not \(environment.rawValue): "
                    + "the Unsplash API has no uploads",
                hint: "use --environment development, with --base-url for another server")
        }
    }

    private func check() throws(UsageError) {
        if limit.server != nil, environment == .development, baseURL == nil {
            throw UsageError(
                "--shared requires an API that the processes share, not the server inside this program",
                hint: "use --base-url or --environment production")
        }
        if display.curl, display.json {
            throw UsageError("--curl and --json can't be combined", hint: "omit --json")
        }
        switch environment {
        case .development: break
        case .staging:
            if baseURL == nil { throw UsageError("staging requires a base URL", hint: "add --base-url URL") }
        case .production:
            if baseURL != nil {
                throw UsageError("production has a fixed URL", hint: "use --environment staging with --base-url")
            }
            if accessKey == nil {
                let hint = "set \(GalleryOption.accessKeyVariable), or add --access-key KEY"
                throw UsageError("production requires an access key", hint: hint)
            }
        }
    }
}
