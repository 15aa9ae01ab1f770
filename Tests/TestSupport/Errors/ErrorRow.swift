package import Errand

/// The sections of the page that lists all errors, in order.
package enum ErrorArea: String, Sendable, CaseIterable {
    case environments = "Environments and URLs"
    case templates = "Templates"
    case requests = "Requests"
    case bodies = "Bodies and files"
    case resumableUploads = "Resumable uploads"
    case downloads = "Downloads"
    case events = "Events and streamed values"
    case archives = "HTTP archives"
    case responses = "Responses"
    case pagination = "Pagination"
    case redirects = "Redirects"
    case interceptors = "Interceptors"
    case oauth = "OAuth and tokens"
    case curl = "CurlSession"
    case urlSession = "URLSession adapter"
    case graphQL = "GraphQL"
}

/// An error that the library creates, with the code that provokes it.
package struct ErrorRow: Sendable {
    /// The expected code.
    package let code: ServiceError.Code
    /// Why the error occurs, in one sentence.
    package let cause: String
    /// What to do, in one sentence.
    package let action: String
    private let shown: String?
    private let provoke: @Sendable () async throws -> Any?

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - code: The expected code.
    ///   - cause: Why the error occurs.
    ///   - action: What to do.
    ///   - shown: The message on the page, if the message of the error depends on the system. By default, the page shows
    ///     the message of the error.
    ///   - provoke: Throws or returns the error.
    package init(
        _ code: ServiceError.Code, _ cause: String, _ action: String, shown: String? = nil,
        provoke: @escaping @Sendable () async throws -> Any?
    ) {
        self.code = code
        self.cause = cause
        self.action = action
        self.shown = shown
        self.provoke = provoke
    }

    /// Provokes the error and returns its page entry. Returns `nil` if nothing fails.
    package func entry() async throws -> ErrorEntry? {
        let error: ServiceError?
        do { error = try await provoke() as? ServiceError } catch let thrown as ServiceError { error = thrown }
        return error.map { ErrorEntry(row: self, code: $0.code, reason: $0.reason, shown: shown ?? $0.reason) }
    }
}

/// An error that was created, and its row.
package struct ErrorEntry: Sendable {
    package let row: ErrorRow
    /// The code of the created error.
    package let code: ServiceError.Code
    /// The message of the created error.
    package let reason: String
    fileprivate let shown: String

    /// The line of the table.
    package var line: String { ErrorPage.line([code.link, shown.code, row.cause, row.action]) }
}

/// A message that no row creates, and the reason.
package struct ErrorExemption: Sendable {
    package let code: ServiceError.Code
    /// The message. `…` stands for each interpolation.
    package let message: String
    /// Why no test creates the error.
    package let reason: String

    package init(_ code: ServiceError.Code, _ message: String, _ reason: String) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    /// The line of the table.
    package var line: String { ErrorPage.line([code.link, message.code, reason]) }
}

extension ServiceError.Code {
    /// The name of the static member of this code.
    var memberName: String {
        let words = rawValue.split(separator: "-")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }

    /// A link to the symbol of this code. Codes of other modules have no link.
    fileprivate var link: String {
        memberName == "graphql" ? "`graphql`" : "``ServiceError/Code/\(memberName)``"
    }
}

extension String {
    /// This text as inline code of a table cell.
    fileprivate var code: String { contains("`") ? "`` \(self) ``" : "`\(self)`" }
}
