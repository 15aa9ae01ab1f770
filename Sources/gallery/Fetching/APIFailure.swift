import Errand
import ErrandSupport
import GalleryCore

/// What is said to a person when a call to the API fails: what happened, the server's own words, what may help.
///
/// Nothing is cut here: who prints it hides the key first, which might stand where a text is cut.
enum APIFailure {
    static func text(_ error: ServiceError) -> String {
        switch error.code {
        case .status: refusal(error)
        case .decoding, .validation: misunderstanding(error)
        case .connection: "can't connect to \(host(error)): \(error.reason.singleLine())"
        case .connectionLost: "\(host(error)) broke off its answer: \(error.reason.singleLine())"
        case .timeout: "\(host(error)) does not answer: \(error.reason.singleLine())"
        default: error.reason.singleLine()
        }
    }

    private static func refusal(_ error: ServiceError) -> String {
        let reason = error.response.map { $0.printable($0.reason, limit: 1_024) } ?? ""
        let words = message(error).map { ": \($0)" } ?? ""
        // A server that says what it could not find needs no guess.
        let hint = (error.status == 404 && !words.isEmpty ? nil : hint(error)).map { " (\($0))" } ?? ""
        return "the API answered \(error.status ?? 0) \(reason)\(words)\(hint)"
    }

    private static func hint(_ error: ServiceError) -> String? {
        if error.status == 429 || error.response?.fields["X-Ratelimit-Remaining"] == "0" {
            return "the hourly limit is used up; try again later"
        }
        switch error.status ?? 0 {
        case 401: return "check the access key"
        case 404: return "check the address"
        default: return nil
        }
    }

    /// The server's own message: its error type, a standard problem, or a short plain text.
    private static func message(_ error: ServiceError) -> String? {
        if let known = error.serverError { return printable(String(describing: known), error) }
        guard mediaType(error) == "text/plain", let body = error.body, body.count <= 400 else { return nil }
        let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : printable(text, error)
    }

    private static func printable(_ text: String, _ error: ServiceError) -> String {
        error.response?.printable(text, limit: 1_024) ?? text.singleLine()
    }

    private static func misunderstanding(_ error: ServiceError) -> String {
        if let type = mediaType(error), !type.hasSuffix("json") {
            return "\(host(error)) answered \(type), not JSON (is this the address of an API?)"
        }
        return "the API's answer can't be read: \(error.reason.singleLine())"
    }

    private static func mediaType(_ error: ServiceError) -> String? {
        guard let text = error.response?.fields["Content-Type"] else { return nil }
        let type = text.unicodeScalars.prefix(200).prefix { $0 != ";" }
        return String(type).trimmingCharacters(in: .whitespaces).lowercased().singleLine()
    }

    private static func host(_ error: ServiceError) -> String {
        error.request.map { $0.host.singleLine(limit: 100) } ?? "the server"
    }
}
