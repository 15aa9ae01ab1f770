import Errand

@main enum Gallery {
    static func main() async {
        FileStream.openStandardDescriptors()
        Memory.keepFreed()
        let environment = ProcessInfo.processInfo.environment
        let console = Console(output: FileStream.output, error: FileStream.error, environment: environment)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await Interruption.cancels {
            await Program.run(arguments, environment: environment, on: console)
        }
        exit(status.rawValue)
    }
}
