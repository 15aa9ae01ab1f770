import Foundation
import TestSupport
import Testing
import gallery

/// Tests the completions and the manual page with the shells and `man` if they are installed.
@Suite(.timeLimit(.minutes(1))) struct ShellFilesTests {
    @Test(arguments: Shell.allCases) func `completions are valid in their shell`(shell: Shell) async throws {
        let text = Completions(for: shell).text
        let option = shell == .fish ? "-s o" : "-o"
        for word in CommandName.allCases.map(\.rawValue) + ["per-page", "thumb", "production", option] {
            #expect(text.contains(word), "\(word)")
        }
        let files = [Shell.bash: "compgen -f ", .zsh: "'*:file:_files'", .fish: "from upload' -F\n"]
        #expect(text.contains(try #require(files[shell])))
        guard let program = Executable(named: shell.rawValue) else { return }
        let folder = try ScratchFolder()
        let file = try folder.file(Data(text.utf8), name: "completions")
        let (output, status) = try await program.run(["-n", file.path], input: "")
        #expect(status == 0, "\(output)")
        guard shell == .bash else { return }
        let script = """
            source \(file.path)
            complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _gallery; echo "${COMPREPLY[@]}"; }
            complete_line gallery se
            complete_line gallery fetch --size t
            complete_line gallery search --per
            complete_line gallery completions ""
            complete_line gallery fetch --size = s
            cd '\(file.deletingLastPathComponent().path)' && mkdir pictures && complete_line gallery fetch -o p
            complete_line gallery search -n ""
            complete_line gallery fetch -
            touch 'misty lake.png' && complete_line gallery upload a.png mi
            complete_line gallery upload --desc
            complete_line gallery search mi
            complete_line gallery cache i
            complete_line gallery fetch --cache p
            """
        let (completions, _) = try await program.run(["-c", script], input: "")
        let lines = completions.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(Array(lines.prefix(3)) == ["search serve", "thumb", "--per-page"])
        #expect(lines.count > 4 && lines[3].contains("bash zsh fish") && lines[4] == "small")
        #expect(lines.dropFirst(5).prefix(2) == ["pictures", ""])
        let names = lines.dropFirst(7).first?.split(separator: " ") ?? []
        #expect(lines.dropFirst(8) == ["misty lake.png", "--description", "", "info", "pictures", ""])
        #expect(["-n", "-o", "-q", "-h", "--output"].allSatisfy { names.contains(Substring($0)) })
    }

    @Test func `the manual page is valid for man`() async throws {
        let page = ManualPage.text
        #expect(
            page.split(separator: "\n").allSatisfy { $0.hasPrefix(".") ? $0.dropFirst().first?.isLetter == true : true }
        )
        for option in [
            "\\-\\-page N", "\\-n, \\-\\-pages N", "\\-q, \\-\\-quiet", "\\-\\-preview", "\\-\\-require\\-key KEY",
            "\\-\\-cache DIR", "\\-\\-no\\-cache",
        ] {
            #expect(page.contains(".B \(option)\n"), "\(option)")
        }
        let folder = try ScratchFolder()
        let file = try folder.file(Data(page.utf8), name: "gallery.1")
        for (program, command) in [("man", "man --warnings -l"), ("mandoc", "mandoc -T lint -W warning")] {
            guard Executable(named: program) != nil, let bash = Executable(named: "bash") else { continue }
            let line = "MANWIDTH=80 MANPAGER=cat \(command) '\(file.path)' 2>&1 >'\(file.path).text'"
            let (complaints, status) = try await bash.run(["-c", line])
            #expect(status == 0 && complaints.isEmpty, "\(program): \(complaints)")
        }
    }
}
