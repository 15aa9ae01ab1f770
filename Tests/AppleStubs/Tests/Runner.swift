// Scripts/apple-check.sh builds and runs these tests. They are not a target of the package, because they need the
// stubs.
import Testing

@main enum Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
