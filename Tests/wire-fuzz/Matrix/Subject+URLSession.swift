import Errand

extension Subject {
    /// What `URLSession` on Linux can't do; all of it is in the platform, below this library's adapter.
    static let urlSessionOnLinux: [String: Limit] = [
        "close in the head": .notRun(because: "the platform traps on a head without its end"),
        "close behind the status line": .notRun(because: "the platform traps on a head without its end"),
        "trailers": .notRun(because: "the platform traps on trailers"),
        "endless chunk extension": .ends(
            .error(.timeout), because: "libcurl skips it without a limit, and does not tell"),
        "length 2^63 - 1": .notRun(because: "the platform traps on the number"),
        "folded first line, each second time": .mayEnd(
            .error(.transport), because: "libcurl before 8.5 refuses it with an error that names no cause"),
        "no space behind a colon": .ends(.error(.badResponse), because: "the platform refuses what RFC 9112 allows"),
        "forged answer behind the last one": .mayEnd(
            .answer(200, "foreign"), because: "libcurl keeps a connection on which bytes are unread"),
        "truncated gzip": .ends(
            .answer(200, "hello"),
            because: "libcurl takes it as whole, which is why the adapter asks for no compression"),
        "kept connection ends, POST": .mayEnd(
            .error(.timeout),
            because: "libcurl before 8.7 sends the head again without the body; the idle time-out ends it"),
        "gzip bomb, 512 kB to 512 MB": .notRun(because: "512 MB are decoded in one turn of the queue of all sessions"),
    ]
}
