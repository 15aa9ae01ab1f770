import Errand

@main enum Gallery {
    static func main() async {
        FileStream.openStandardDescriptors()
        let environment = ProcessInfo.processInfo.environment
        Memory.keepFreed(environment)
        let console = Console(output: FileStream.output, error: FileStream.error, environment: environment)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await Interruption.cancels {
            await Program.run(arguments, environment: environment, on: console)
        }
        exit(status.rawValue)
    }
}
