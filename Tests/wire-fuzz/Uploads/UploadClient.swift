import Errand

/// Uploads a file, in a process that a test kills and starts again.
struct UploadClient: Sendable {
    private let settings: ResumableUploadProtocol
    private let server: URL
    private let file: URL
    private let state: URL
    /// The name and the value of an additional header.
    private let header: (name: String, value: String)?

    /// Parses the arguments `--upload tus|http-draft|google-session URL FILE STATE [CHUNK [NAME=VALUE]]`. Returns `nil`
    /// for others.
    init?(_ arguments: [String]) {
        guard (5...7).contains(arguments.count), arguments[0] == "--upload", let server = URL(string: arguments[2])
        else { return nil }
        let chunk = arguments.count > 5 ? Int64(arguments[5]) : nil
        switch arguments[1] {
        case "tus": settings = chunk.map { .tus(chunk: $0) } ?? .tus
        case "http-draft": settings = chunk.map { .httpDraft(chunk: $0) } ?? .httpDraft
        case "google-session": settings = chunk.map { .googleSession(chunk: $0) } ?? .googleSession
        default: return nil
        }
        let pair = arguments.dropFirst(6).first?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
        header = pair.count == 2 ? (pair[0], pair[1]) : nil
        self.server = server
        file = URL(filePath: arguments[3])
        state = URL(filePath: arguments[4])
    }

    /// Returns the exit status: 0 after the upload, 1 after an error, which is printed.
    func run() async -> Int32 {
        do throws(ServiceError) {
            print(
                try await APILoader(Creation(url: server, header: header)).upload(
                    file, resumingBy: settings, state: state
                ).value)
            return 0
        } catch {
            print(error)
            return 1
        }
    }

    /// The API call that creates an upload.
    private struct Creation: APIHandler {
        let url: URL
        let header: (name: String, value: String)?

        func makeRequest(from file: URL) -> URLRequest {
            var request = URLRequest(url: url)
            request.httpMethod = HTTPMethod.post.rawValue
            if let header { request.setValue(header.value, forHTTPHeaderField: header.name) }
            return request
        }

        func body(for file: URL) -> RequestBody? { .file(file) }

        func parseResponse(data: Data, head: ResponseHead) -> Int { head.status }
    }
}
