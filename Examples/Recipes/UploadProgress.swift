import Errand

nonisolated struct Scan: Sendable { let title: String, album: String, file: URL }

struct ScanUpload: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from scan: Scan) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "scans"))
        request.httpMethod = "POST"
        return request
    }

    func body(for scan: Scan) -> RequestBody? {
        .multipart(["title": scan.title, "album": scan.album], files: [.file(scan.file, name: "scan")])
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

func send(_ scan: Scan, with loader: APILoader<ScanUpload>, show: (Double) -> Void) async throws -> Receipt? {
    for try await event in loader.upload(scan) {
        switch event {
        case .progress(let progress): show(progress.fraction ?? 0)
        case .finished(let receipt): return receipt
        }
    }
    return nil
}
