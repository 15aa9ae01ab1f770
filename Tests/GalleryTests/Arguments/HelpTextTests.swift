import Testing
import gallery

@Suite struct HelpTextTests {
    @Test(arguments: [HelpTopic.overview, .fetch])
    func `every line fits 80 columns`(topic: HelpTopic) {
        #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(topic.text.hasSuffix("\n") && !topic.text.hasSuffix("\n\n"))
    }

    @Test(arguments: [
        "--page N", "--per-page N", "--pages N", "--size SIZE", "--output DIR", "--environment NAME", "--base-url URL",
        "--access-key KEY", "--concurrency N", "--json", "--explain", "--curl", "--quiet", "--verbose", "--html",
        "--preview", "--cache DIR", "--no-cache", "--rate N", "--shared URL", "--workers N", "GALLERY_SHARED_PASSWORD",
        "--help", "--version", "-n, --pages N", "-o, --output DIR",
        "-q, --quiet",
        "UNSPLASH_ACCESS_KEY", "$XDG_CONFIG_HOME/gallery/config", "--no-NAME",
        "thumb, small, regular, full or raw (default: regular)", "(default: gallery)",
    ])
    func `the help of fetch lists every option and its default`(text: String) {
        let flat = HelpTopic.fetch.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(flat.contains(text))
    }

    @Test func `the table of options is aligned`() {
        let lines = HelpTopic.fetch.text.split(separator: "\n")
        #expect(lines.contains("      --size SIZE         The size of each picture: thumb, small, regular, full"))
        #expect(lines.contains("                          or raw (default: regular)"))
    }
}
