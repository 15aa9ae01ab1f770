import Errand

extension Subject {
    /// The limits of `URLSession` on Linux. All of them are in the platform, below this library's adapter.
    static let urlSessionOnLinux: [String: Limit] = [
        "close in the header section": .notRun(because: "the platform traps on an incomplete header section"),
        "close after the status line": .notRun(because: "the platform traps on an incomplete header section"),
        "trailers": .notRun(because: "the platform traps on trailers"),
        "endless chunk extension": .ends(
            .error(.timeout), because: "libcurl skips it without a limit, and does not report it"),
        "length 2^63 - 1": .notRun(because: "the platform traps on the number"),
        "folded first line, every second time": .mayEnd(
            .error(.transport), because: "libcurl before 8.5 refuses it with an error without a cause"),
        "no space after a colon": .ends(
            .error(.badResponse), because: "the platform refuses a line that RFC 9112 allows"),
        "forged response after the last one": .mayEnd(
            .response(200, "foreign"), because: "libcurl keeps a connection that has unread bytes"),
        "truncated gzip": .ends(
            .response(200, "hello"),
            because: "libcurl treats it as complete, so the adapter does not request compression"),
        "kept connection ends, POST": .mayEnd(
            .error(.timeout),
            because: "libcurl before 8.7 repeats the header section without the body, until the idle timeout"),
        "gzip bomb, 512 kB to 512 MB": .notRun(
            because: "512 MB are decoded in one step of the queue that all sessions share"),
    ]
}
