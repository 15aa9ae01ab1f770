import Errand
import ErrandSupport
import GalleryCore

/// A run of `gallery search` or `gallery show`, which print data and download no pictures.
struct LookUp: Sendable {
    enum Subject { case search, show }

    private let options: GalleryOptions
    private let console: Console
    private let mask: KeyMask

    init(_ options: GalleryOptions, _ console: Console) {
        self.options = options
        self.console = console
        mask = KeyMask(options.accessKey)
    }

    func run(_ subject: Subject) async -> ExitStatus {
        do {
            return try await APITarget.with(options, console, linksAreServed: true) { target in
                try await look(subject, in: target)
            }
        } catch let error as StreamClosed {
            guard let reason = error.reason else { return .outputClosed }
            return fail("can't write the output: \(reason)")
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else {
                complain("interrupted")
                return .interrupted
            }
            return fail(APIFailure.text(ServiceError(wrapping: error, as: .transport, "the call failed")))
        }
    }

    private func look(_ subject: Subject, in target: APITarget) async throws -> ExitStatus {
        do {
            switch subject {
            case .search: return try await search(target)
            case .show: return try await show(target)
            }
        } catch let error as ServiceError where error.code == .notSent {
            note(APITarget.commandNote, in: target)
            return .success
        } catch let error as ServiceError {
            throw (error.underlying as? StreamClosed) ?? error
        }
    }

    private func show(_ target: APITarget) async throws -> ExitStatus {
        let call = PhotoAPI(environment: target.environment, accessKey: target.accessKey)
        var photo = try await APILoader(call, session: target.catalogue).load(options.id)
        // These are the only member names that the server chooses.
        photo.topicSubmissions = photo.topicSubmissions.map { submissions in
            Dictionary(submissions.map { (mask.hide($0.key), $0.value) }) { first, _ in first }
        }
        let lines =
            options.display.json ? [try JSONLine.text(photo, hiding: mask)] : PhotoSheet(photo, mask).lines(console)
        for line in lines { try print(line) }
        note(APITarget.linkNote, in: target)
        return .success
    }

    private func note(_ text: String, in target: APITarget) {
        if target.isOwn, !options.display.quiet { try? console.error.write("gallery: \(text)\n") }
    }

    /// Prints each page when it is loaded.
    private func search(_ target: APITarget) async throws -> ExitStatus {
        var pages = Pages()
        let listing = Listing(target, options)
        while let page = await listing.next() { try print(page, &pages) }
        if let failure = await listing.failure { throw failure }
        if !pages.haveHits, !pages.areBroken, !options.display.quiet, !options.display.json {
            try print("No pictures match \((options.query ?? "").quoted).")
        }
        if options.display.json, pages.haveHits { note(APITarget.linkNote, in: target) }
        return pages.areBroken ? .failure : .success
    }

    /// The state of the loaded pages.
    private struct Pages {
        var areBroken = false
        var haveHits = false
    }

    private func print(_ page: GalleryPage, _ pages: inout Pages) throws(StreamClosed) {
        for error in page.unreadable {
            let reason = ServiceError(wrapping: error, as: .decoding, "it can't be decoded").reason
            pages.areBroken = true
            complain("can't decode a photo in the API's response: \(reason.singleLine())")
        }
        for photo in page.photos { try print(line(photo)) }
        if !page.photos.isEmpty { pages.haveHits = true }
    }

    private func line(_ photo: GalleryModel) -> String {
        let row = Row(photo, mask)
        if options.display.json { return JSONLine.text(row) }
        let line = [
            row.id.singleLine(limit: 40).padded(to: 12), "\(row.width)x\(row.height)".padded(to: 11),
            row.photographer.singleLine(limit: 80).fitted(to: 22).padded(to: 22), row.title.singleLine(limit: 200),
        ].joined(separator: " ")
        return console.output.isTerminal ? line.fitted(to: max(20, console.output.columns - 1)) : line
    }

    /// A picture in the output of `gallery search --json`.
    private struct Row: Encodable {
        let id, title, photographer, address: String
        let width, height: Int

        init(_ photo: GalleryModel, _ mask: KeyMask) {
            (id, title, photographer) = (mask.hide(photo.id), mask.hide(photo.title), mask.hide(photo.user.name))
            (address, width, height) = (mask.hide(photo.links.html.absoluteString), photo.width, photo.height)
        }
    }

    private func print(_ line: String) throws(StreamClosed) {
        try console.output.write(line + "\n")
    }

    private func complain(_ reason: String) {
        let text = "gallery: \(mask.hide(reason).singleLine(limit: 600))"
        try? console.error.write(console.emphasised(text, .red, on: console.error) + "\n")
    }

    private func fail(_ reason: String) -> ExitStatus {
        complain(reason)
        return .failure
    }
}

extension String {
    /// Returns the text, padded with spaces to a number of columns.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}
