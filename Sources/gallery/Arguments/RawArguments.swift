/// The command line as bytes. `CommandLine.arguments` replaces bytes that are not UTF-8, so `--output` would refer to
/// another folder.
enum RawArguments {
    /// Returns the arguments without the program's name.
    ///
    /// - Throws: ``UsageError`` for an argument that is not valid UTF-8. The message does not contain the argument,
    ///   which may be a key.
    static func decoded() throws(UsageError) -> [String] {
        var texts: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: bytes) else {
                let name = name(of: String(cString: bytes), after: texts.last) ?? "argument \(index)"
                throw UsageError("\(name) is not valid UTF-8", hint: "use only valid UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the option to which an argument belongs, if any.
    private static func name(of argument: String, after previous: String?) -> String? {
        let names = CommandName.allCases.flatMap(\.description.options).filter(\.takesValue).flatMap(\.names)
        let own = argument.split(separator: "=", maxSplits: 1).first.map(String.init)
        return [own, previous].lazy.compactMap(\.self).first(where: names.contains)
    }
}
