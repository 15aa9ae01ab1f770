import ErrandSupport

/// One run of a download: opens its files, transfers the bytes, verifies them and gives the file its name.
package struct DownloadRun<T: APIHandler>: Sendable {
    let loader: APILoader<T>
    let input: T.RequestDataType
    let place: DownloadPlace
    let options: DownloadOptions
    let meter: TransferMeter
    private let observe: @Sendable () -> Void

    /// Creates a run. For `observe`, see ``DownloadFiles``.
    package init(
        _ loader: APILoader<T>, _ input: T.RequestDataType, _ place: DownloadPlace, _ options: DownloadOptions,
        meter: TransferMeter = TransferMeter(), observe: @escaping @Sendable () -> Void = {}
    ) {
        (self.loader, self.input, self.place, self.options) = (loader, input, place, options)
        (self.meter, self.observe) = (meter, observe)
    }

    @concurrent
    package func run() async throws(ServiceError) -> DownloadedFile {
        try place.check(options)
        let request = try makeRequest()
        do throws(ServiceError) {
            return try await run(request)
        } catch {
            throw error.adding(request)
        }
    }

    private func run(_ request: APIRequest) async throws(ServiceError) -> DownloadedFile {
        let identity = DownloadRecord.identity(of: request, options)
        let files = try DownloadFiles(in: place.folder, name: place.name, identity: identity, observe: observe)
        var transfer = try DownloadTransfer(self, files, request, identity)
        do throws(ServiceError) {
            try await transfer.run()
            let digest = try await transfer.verifiedDigest()
            let size = transfer.machine.position
            try ServiceError.checkCancellation()
            let url = try move(files, named: place.name == nil ? transfer.fileName : nil)
            guard let head = transfer.head else { throw ServiceError(.badResponse, "the download has no response") }
            return DownloadedFile(
                url: url, size: size, head: head, resumedFrom: transfer.resumedFrom, digest: digest)
        } catch {
            transfer.fail()
            throw error
        }
    }

    /// Makes the request of the download. A repeated request has the deadline and the trail of the first one.
    func makeRequest(after first: APIRequest? = nil) throws(ServiceError) -> APIRequest {
        var request = try loader.streamRequest(input)
        guard request.method == .get, ["Range", "If-Range"].allSatisfy({ request.value(ofField: $0) == nil }) else {
            throw ServiceError(
                .encoding, "unsupported request of a download: expected a GET request without Range and If-Range"
            ).adding(request)
        }
        if options.resumes { request.head.setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
        // A response from a cache could be a part of another version.
        request.options.cachePolicy = .reloadIgnoringLocalCacheData
        request.options.cacheMode = request.options.cacheMode ?? .noStore
        if let first {
            (request.options.deadline, request.options.trail) = (first.options.deadline, first.options.trail)
        }
        return request
    }

    private func move(_ files: DownloadFiles, named name: SafeFileName?) throws(ServiceError) -> URL {
        do throws(FileFailure) {
            if let file = place.file {
                if try files.move(to: file, overwrites: options.overwrites) { return file }
            } else if let name = name ?? SafeFileName("download") {
                let url = try FreeFileName.create(name, in: place.folder) { url throws(FileFailure) in
                    try files.move(to: url, overwrites: false)
                }
                if let url { return url }
            }
        } catch {
            throw .file(error)
        }
        throw DownloadPlace.exists
    }
}
