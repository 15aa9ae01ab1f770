/// The response bodies that a loader collects before the validators run.
enum CollectedBodies {
    case ofAll
    /// Those of responses with status 400 or above.
    case ofRefusals
    /// Also those of JSON responses, which explain the missing stream.
    case ofRefusalsAndJSON

    /// Whether the body of a response is collected.
    func include(_ head: ResponseHead) -> Bool {
        switch self {
        case .ofAll: true
        case .ofRefusals: head.status >= 400
        case .ofRefusalsAndJSON: head.status >= 400 || Self.isJSON(head.mediaType ?? "")
        }
    }

    /// Whether this is the type of one JSON value (RFC 6839, section 3.1), and not of a stream such as `text/x-ndjson`.
    private static func isJSON(_ type: String) -> Bool { type == "application/json" || type.hasSuffix("+json") }
}
