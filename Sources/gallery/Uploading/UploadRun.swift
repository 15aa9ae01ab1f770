import Errand
import GalleryCore

/// A run of `gallery upload`: checks all files, uploads one after the other and prints a summary.
struct UploadRun<Time: TimeSource>: Sendable {
    /// A file that can be uploaded.
    private struct File: Sendable {
        let path: String
        let upload: PictureUpload
    }

    let options: GalleryOptions
    let console: Console
    let time: Time

    init(options: GalleryOptions, console: Console, time: Time) {
        self.options = options
        self.console = console
        self.time = time
    }

    func run() async -> ExitStatus {
        let start = time.now
        var report = UploadReport(options: options, console: console)
        do {
            let files = try checkedFiles(&report)
            guard !report.hasFailures else { return .failure }
            if try await upload(files, &report) { try report.finish(after: time.now - start) }
        } catch let error as StreamClosed {
            report.clear()
            guard let reason = error.reason else { return .outputClosed }
            report.fail("can't write the output: \(reason)")
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else {
                report.interrupted(of: options.files.count)
                return .interrupted
            }
            report.fail(APIFailure.text(ServiceError(wrapping: error, as: .transport, "the upload failed")))
        }
        return report.hasFailures ? .failure : .success
    }

    /// Returns the files, and reports those that are missing or not pictures.
    private func checkedFiles(_ report: inout UploadReport) throws -> [File] {
        var files: [File] = []
        for path in options.files {
            try Task.checkCancellation()
            do throws(ServiceError) {
                // The shell has already expanded `~`.
                let url = URL(filePath: path.hasPrefix("~") ? "./" + path : path, directoryHint: .notDirectory)
                files.append(File(path: path, upload: try PictureUpload(url, description: options.description)))
            } catch {
                try report.fail(path, because: error.reason)
            }
        }
        if report.hasFailures { report.note("nothing was uploaded") }
        return files
    }

    /// Uploads the files. Returns `false` if the requests were only printed.
    private func upload(_ files: [File], _ report: inout UploadReport) async throws -> Bool {
        try await APITarget.with(options, console) { try await upload(files, to: $0, &report) }
    }

    private func upload(_ files: [File], to target: APITarget, _ report: inout UploadReport) async throws -> Bool {
        let call = UploadAPI(environment: target.environment, accessKey: target.accessKey)
        let loader = APILoader(call, session: target.session)
        for (index, file) in files.enumerated() {
            try Task.checkCancellation()
            do {
                for try await event in loader.upload(file.upload) {
                    switch event {
                    case .progress(let transfer):
                        report.show(
                            UploadProgress(
                                file: file.path, number: index + 1, total: files.count, transfer: transfer))
                    case .finished(let photo):
                        await target.removeStoredResponses()
                        try report.add(file.upload, from: file.path, as: photo)
                    }
                }
            } catch let error as ServiceError {
                try Task.checkCancellation()
                if let closed = error.underlying as? StreamClosed { throw closed }
                guard error.code != .notSent else { continue }
                try report.fail(file.path, bytes: file.upload.bytes, because: APIFailure.text(error))
            }
        }
        if options.display.curl, target.isOwn { report.note(APITarget.commandNote) }
        return !options.display.curl
    }
}
