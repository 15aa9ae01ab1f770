import Errand

@main enum Gallery {
    static func main() async {
        FileStream.openStandardDescriptors()
        let environment = ProcessInfo.processInfo.environment
        let console = Console(output: FileStream.output, error: FileStream.error, environment: environment)
        let status = await Interruption.cancels {
            do throws(UsageError) {
                return await Program.run(try RawArguments.decoded(), environment: environment, on: console)
            } catch {
                try? console.error.write("gallery: \(error)\n")
                return .usage
            }
        }
        exit(status.rawValue)
    }
}
