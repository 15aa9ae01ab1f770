import Errand
import TestSupport

extension ErrorRow {
    /// The rows of each section. The sections of a platform are empty on other platforms.
    static let sections: [(area: ErrorArea, rows: [ErrorRow])] = [
        (.environments, environments), (.templates, templates), (.requests, requests + queries), (.bodies, bodies),
        (.resumableUploads, resumableUploads), (.downloads, downloads), (.events, events),
        (.archives, archives), (.responses, responses), (.pagination, pagination), (.redirects, redirects),
        (.interceptors, interceptors + idempotency),
        (.oauth, oauth), (.curl, curl), (.urlSession, urlSession),
    ]
}

extension ErrorExemption {
    private static let resources = "This happens only without memory or file descriptors."
    private static let version = "It depends on the version of libcurl."
    private static let unreachable = "Other checks reject such a value first."
    private static let foundation = "It requires a `URLProtocol` that sends such a response."
    private static let apple = "`ErrandValkey` throws it on Apple platforms."
    private static let unknown = "No input is known that causes it."

    /// The messages of the library that no row creates.
    static let all: [ErrorExemption] =
        platforms + [
            ErrorExemption(.configuration, "invalid URL of the path: expected a valid URL (RFC 3986)", unknown),
            ErrorExemption(.encoding, "cannot set the query: expected a valid URL (RFC 3986)", unknown),
            ErrorExemption(.configuration, "… is not Decodable", "The compiler rejects the call."),
            ErrorExemption(
                .encoding, "the request has two Host headers: set one", "`URLRequest` combines them on some platforms."),
            ErrorExemption(.badResponse, "the response cannot be converted to an HTTPURLResponse", unknown),
            ErrorExemption(.badResponse, "the response has no URL", foundation),
            ErrorExemption(
                .transport, "the debounce delay failed", "This happens only with a custom `TimeSource` that throws."),
            ErrorExemption(
                .transport, "the wait before an attempt failed",
                "This happens only with a custom `TimeSource` that throws."),
            ErrorExemption(.badResponse, "the download has no response", unreachable),
            ErrorExemption(.authorization, "no token is available: call signIn(_:) first", unknown),
        ]

    private static let platforms: [ErrorExemption] = [
        ErrorExemption(
            .configuration, "unsupported transport curl: expected Linux, found …; use .urlSession",
            "The message is for platforms without `CurlSession`."),
        ErrorExemption(
            .file, "the token can't be …: Keychain status ……", "The Keychain exists only on Apple platforms."),
        ErrorExemption(.configuration, "cannot start libcurl: no file descriptors or no memory left", resources),
        ErrorExemption(.encoding, "libcurl rejected the request", resources),
        ErrorExemption(
            .configuration,
            "unsupported tls.authorities .pem: expected libcurl 7.77.0 or later, found …; use .file with the path of a PEM file",
            version),
        ErrorExemption(
            .badResponse,
            "nothing proves that the response over HTTP/2 is complete: expected a Content-Length, or the content coding "
                + "br or deflate; call this server over HTTP/1.1 (offersHTTP2 = false)",
            "`MultiplexingIntegrationTests` creates it with an HTTP/2 server."),
        ErrorExemption(
            .badResponse,
            "nothing proves that the response is complete: expected a Content-Length, the transfer coding chunked, or the "
                + "content coding br or deflate, found only the end of the TLS connection, which … does not verify; install "
                + "libcurl 8.15.0 or later with OpenSSL",
            version),
        ErrorExemption(
            .configuration, "libcurl rejected …", "It depends on the features of libcurl, or requires a lack of memory."
        ),
        ErrorExemption(.encoding, "invalid URL: expected an http or https URL with a host", unreachable),
        ErrorExemption(
            .transport, "the process is exiting, and its connections are closed", "The process of the test would end."),
        ErrorExemption(.badResponse, "expected an HTTP response, found another kind", foundation),
        ErrorExemption(.badResponse, "expected a header section, found the end of the response", foundation),
        ErrorExemption(.configuration, "the adapter has no session", unreachable),
        ErrorExemption(
            .configuration, "invalid server address: expected a host and a port from 1 to 65535",
            "`ErrandValkey` throws it."),
        ErrorExemption(.connectionLost, "the connection has ended", "`ErrandValkey` throws it."),
        ErrorExemption(
            .configuration, "no AES-256-GCM: expected a libcurl that uses OpenSSL",
            "It depends on the TLS library of libcurl."),
        ErrorExemption(.configuration, "cannot open a connection: no file descriptors left", resources),
        ErrorExemption(
            .configuration, "unsupported TLS settings: custom authorities and client certificates require Linux",
            apple),
        ErrorExemption(.connection, "the connection was not established in time", apple),
        ErrorExemption(.tls, "the TLS connection failed (status …)", apple),
        ErrorExemption(.connection, "the name of the server cannot be resolved (DNS error …)", apple),
        ErrorExemption(.connection, "the connection failed (error …)", apple),
        ErrorExemption(.connection, "the connection failed", apple),
    ]
}
