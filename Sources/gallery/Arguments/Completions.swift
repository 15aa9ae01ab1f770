/// The completion script of a shell, built from the same descriptions as the parser.
package struct Completions: Sendable {
    private let shell: Shell
    private var commands: [CommandDescription] { CommandName.allCases.map(\.description) }

    package init(for shell: Shell) {
        self.shell = shell
    }

    /// The text of the script.
    package var text: String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// Returns the option names of a command, including the ones that all commands have.
    private func names(_ command: CommandDescription) -> String {
        (command.options.flatMap(\.names) + ["--help", "-h", "--version"]).joined(separator: " ")
    }

    /// The options with a fixed set of values.
    private var choices: [(name: String, choices: [String])] {
        var seen: Set<String> = []
        return commands.flatMap(\.options).filter { !$0.choices.isEmpty && seen.insert($0.name).inserted }
            .map { ($0.name, $0.choices) }
    }

    /// The options with arbitrary values, which are neither choices nor folders.
    private var freelyValued: [String] {
        let options = commands.flatMap(\.options).filter {
            $0.takesValue && $0.choices.isEmpty && !$0.isFolder
        }
        return Set(options.flatMap(\.names)).sorted()
    }

    private var folders: [String] { Set(commands.flatMap(\.options).filter(\.isFolder).flatMap(\.names)).sorted() }

    private var words: String { (commands.map(\.name.rawValue) + ["help"]).joined(separator: " ") }

    private var bash: String {
        let values = choices.map { option -> String in
            let words = option.choices.joined(separator: " ")
            return "    \(option.name)) COMPREPLY=($(compgen -W '\(words)' -- \"$word\")); return ;;"
        }
        return """
            # Completions of gallery for bash: source <(gallery completions bash)
            _gallery() {
              local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words files
              if [ "$word" = "=" ]; then
                word=""
              elif [ "$before" = "=" ]; then
                before="${COMP_WORDS[COMP_CWORD-2]}"
              fi
              case "$before" in
            \(values.joined(separator: "\n"))
                \(folders.joined(separator: "|")))
                  local IFS=$'\n'
                  compopt -o filenames 2>/dev/null
                  COMPREPLY=($(compgen -d -- "$word")); return ;;
                \(freelyValued.joined(separator: "|"))) return ;;
              esac
              if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W '\(words) --help --version' -- "$word")); return
              fi
              case "${COMP_WORDS[1]}" in
            \(bashCommands.joined(separator: "\n"))
                help) words='\(commands.map(\.name.rawValue).joined(separator: " "))' ;;
              esac
              if [ "$files" = yes ] && [ "${word#-}" = "$word" ]; then
                local IFS=$'\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -f -- "$word")); return
              fi
              COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -F _gallery gallery

            """
    }

    /// The cases that set the options and operands of each command.
    private var bashCommands: [String] {
        commands.map { command in
            let files = command.operand?.isFiles == true ? " files=yes" : ""
            return "    \(command.name.rawValue)) words='\(names(command)) \(operands(command))'\(files) ;;"
        }
    }

    private func operands(_ command: CommandDescription) -> String {
        command.operand?.choices.joined(separator: " ") ?? ""
    }

    private var zsh: String {
        let names = commands.map { command -> String in "'\(command.name.rawValue):\(Self.quoted(command.summary))'" }
        let options = commands.map { command -> String in
            let specs: [String] = command.options.map(Self.zshSpec) + ["'(- *)'{-h,--help}'[Print the help]'"]
            let operand = command.operand.map { operand -> String in
                if operand.isFiles { return "'*:\(operand.placeholder.lowercased()):_files'" }
                let choices = operand.choices.isEmpty ? " " : "(\(operand.choices.joined(separator: " ")))"
                return "'::\(operand.placeholder.lowercased()):\(choices)'"
            }
            let all = (specs + [operand].compactMap(\.self)).map { "        \($0)" }.joined(separator: " \\\n")
            return "      \(command.name.rawValue)) _arguments \\\n\(all) ;;"
        }
        return """
            #compdef gallery
            # Completions of gallery for zsh: gallery completions zsh > a folder of $fpath, as _gallery
            _gallery() {
              local -a commands
              commands=(\(names.joined(separator: " ")) 'help:Print a help text')
              if (( CURRENT == 2 )); then
                _describe command commands
                return
              fi
              local command=$words[2]
              shift words; (( CURRENT-- ))
              case $command in
            \(options.joined(separator: "\n"))
                  help) _describe command commands ;;
              esac
            }
            _gallery "$@"

            """
    }

    private static func zshSpec(_ option: GalleryOption) -> String {
        let summary = quoted(option.summary).replacing("[", with: "\\[").replacing("]", with: "\\]")
        guard let placeholder = option.placeholder else {
            guard let short = option.short else { return "'\(option.name)[\(summary)]'" }
            return "'(\(short) \(option.name))'{\(short),\(option.name)}'[\(summary)]'"
        }
        let values =
            option.choices.isEmpty
            ? (option.isFolder ? "_files -/" : " ") : "(\(option.choices.joined(separator: " ")))"
        let rest = "[\(summary)]:\(placeholder):\(values)'"
        guard let short = option.short else { return "'\(option.name)=\(rest)" }
        return "'(\(short) \(option.name))'{\(short),\(option.name)=}'\(rest)"
    }

    private var fish: String {
        var lines = ["# Completions of gallery for fish", "complete -c gallery -f"]
        for command in commands {
            let name = command.name.rawValue
            lines.append(
                "complete -c gallery -n __fish_use_subcommand -a \(name) -d '\(Self.quoted(command.summary))'")
            let scope = "complete -c gallery -n '__fish_seen_subcommand_from \(name)'"
            for option in command.options {
                let values =
                    !option.choices.isEmpty
                    ? " -xa '\(option.choices.joined(separator: " "))'"
                    : option.isFolder ? " -rF" : option.takesValue ? " -x" : ""
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let names = "-l \(option.name.dropFirst(2))\(short)"
                lines.append("\(scope) \(names)\(values) -d '\(Self.quoted(option.summary))'")
            }
            if let choices = command.operand?.choices, !choices.isEmpty {
                lines.append("\(scope) -a '\(choices.joined(separator: " "))'")
            }
            if command.operand?.isFiles == true { lines.append("\(scope) -F") }
        }
        lines.append("complete -c gallery -l help -s h -d 'Print a help text'")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a text that is safe between single quotes in all three shells. Colons are replaced, because they
    /// separate fields in zsh.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: " -")
    }
}
