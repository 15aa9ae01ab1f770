import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// A server that repeats each secret of the request in each part of its response. No output may contain a secret.
@Suite(.timeLimit(.minutes(2))) struct SecretEchoTests {
    /// The part of the request that carries the secret.
    enum Carrier: String, CaseIterable, Sendable {
        case bearer, basic, apiKey, cookie, interceptor, query, jsonPassword, userInfo
        case clientSecret = "client_secret", refreshToken = "refresh_token", code, codeVerifier = "code_verifier"
        case deviceCode = "device_code", password, assertion
    }

    /// The part of the response that repeats the secret.
    enum Part: CaseIterable, Sendable {
        case reason, header, location, mediaType, text, page, localized, problemTitle, problemDetail, failure, challenge
    }

    /// The encoding of the repeated secret.
    enum Form: CaseIterable, Sendable { case plain, upper, percent, base64, base64Inside, json, cut }

    static let secret = "s3cr3t/7f+3a9c=Q-x8"

    @Test(arguments: Carrier.allCases, Part.allCases)
    func `no output contains a secret that the server repeats`(carrier: Carrier, part: Part) async throws {
        for form in Form.allCases {
            let text = Self.written(Self.secret, as: form)
            let log = Locked<[String]>([])
            let logging = LoggingInterceptor(LoggingInterceptor.PrintSink { line in log.withLock { $0.append(line) } })
            let interceptors: [any Interceptor] = [logging, RetryInterceptor(), Credential(carrier: carrier), logging]
            let session = Echo(part: part, text: text).intercepted(byAll: interceptors)
            var texts: [String] = []
            do throws(ServiceError) {
                let loaded = try await APILoader(Call(carrier: carrier), session: session).response(())
                texts += SecretScan.texts(loaded) + SecretScan.texts(loaded.head) + SecretScan.texts(loaded.trail)
                texts += [loaded.trail.json]
            } catch {
                texts += SecretScan.texts(error) + SecretScan.texts(error.trail) + [error.trail.json, error.reason]
                texts += error.response.map { SecretScan.texts($0) } ?? []
                texts += error.serverError.map { ($0 as? ProblemDetails).map { SecretScan.texts($0) } ?? [] } ?? []
                texts += SecretScan.texts(error.attempts) + (error.request.map { SecretScan.texts($0) } ?? [])
            }
            texts += log.withLock { $0 }
            let shown = Self.needles(text).flatMap { needle in
                texts.filter { $0.lowercased().contains(needle.lowercased()) }
            }
            #expect(shown.isEmpty, "\(form): \(shown.first?.prefix(400) ?? "")")
        }
    }

    @Test func `an error of another package is redacted by its own method`() async throws {
        let session = Echo(part: .localized, text: Self.secret)
        let call = Call(carrier: .bearer, errors: .serverError(CarrierError.self))
        let error = await #expect(throws: ServiceError.self) { try await APILoader(call, session: session).load(()) }
        let serverError = try #require(error?.serverError as? CarrierError)
        #expect(serverError.message == Redaction.mask)
    }

    @Test func `a cURL command redacts a secret that its URL repeats`() throws {
        let url = try #require(URL(string: "https://shop.test/next/\(Self.secret)?cursor=s3cr3t%2F7f%2B3a9c%3DQ-x8"))
        var request = URLRequest(url: url)
        request.setValue("Bearer \(Self.secret)", forHTTPHeaderField: "Authorization")
        let command = request.cURLCommand()
        #expect(command.contains("https://shop.test/next/‹redacted›?cursor=‹redacted›"), "\(command)")
        #expect(request.cURLCommand(revealingSecrets: true).contains(Self.secret))
    }

    /// Returns a text that contains a secret in one of the forms.
    private static func written(_ secret: String, as form: Form) -> String {
        let data = Data(secret.utf8)
        return switch form {
        case .plain: "a \(secret) b"
        case .upper: "a \(secret.uppercased()) b"
        case .percent: "a \(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") b"
        case .base64: "a \(data.base64EncodedString()) b"
        case .base64Inside: "a \(Data("user:\(secret):more".utf8).base64EncodedString()) b"
        case .json: "a \(secret.replacingOccurrences(of: "/", with: "\\/")) b"
        // The text ends within the secret if it is truncated to 80, 100 or 300 characters.
        case .cut: String(repeating: "x", count: 70) + secret + String(repeating: "y", count: 201) + secret
        }
    }

    /// Returns the strings that must not be shown: the middle of each encoded form of the secret.
    private static func needles(_ text: String) -> [String] {
        let words = text.split(separator: " ").filter { $0.count > 9 }
        return words.map { $0.count > 100 ? String(secret.prefix(9)) : String($0.dropFirst(6).prefix(9)) }
    }
}

extension SecretEchoTests {
    struct ShopError: LocalizedError, Decodable {
        let message: String
        var errorDescription: String? { message }
    }

    struct CarrierError: ServiceError.Redactable, Decodable, Equatable {
        let message: String
        func redacted(by redact: (String) -> String) -> any Error { CarrierError(message: redact(message)) }
    }

    /// Adds credentials below the loader, as the authorization interceptor does.
    struct Credential: Interceptor {
        let carrier: Carrier

        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var request = request
            if carrier == .interceptor {
                request.head.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
            }
            return try await next.send(request)
        }
    }

    struct Call: APIHandler {
        let carrier: Carrier
        var errors: ResponseValidator = .serverError(ShopError.self)

        var validators: [ResponseValidator] { [errors, .status(), .contentType("*/json")] }

        func makeRequest(from input: Void) throws -> URLRequest {
            var request = URLRequest(url: try url)
            request.httpMethod = "POST"
            let basic = Data("eva:\(secret)".utf8).base64EncodedString()
            switch carrier {
            case .bearer: request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
            case .basic: request.setValue("Basic \(basic)", forHTTPHeaderField: "Authorization")
            case .apiKey: request.setValue(secret, forHTTPHeaderField: "X-Api-Key")
            case .cookie: request.setValue("theme=dark; sid=\(secret)", forHTTPHeaderField: "Cookie")
            case .query: try setQueryParams(["access_token": secret], on: &request)
            case .jsonPassword: try setJSONBody(["user": ["password": secret]], on: &request)
            case .interceptor, .userInfo: break
            default: try setFormBody([carrier.rawValue: secret], on: &request)
            }
            return request
        }

        private var url: URL {
            get throws {
                let user = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let text = carrier == .userInfo ? "https://eva:\(user)@shop.test/a" : "https://shop.test/a"
                guard let url = URL(string: text) else { throw URLError(.badURL) }
                return url
            }
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    /// Responds with a text in one part of the response.
    struct Echo: APISession {
        let part: Part
        let text: String

        func send(_ request: APIRequest) async throws -> APIResponse {
            let url = request.url ?? URL(filePath: "/")
            request.options.trail?.note("the server said: \(text)", from: .init("server"))
            func reply(
                _ status: Int, _ type: String = "application/json", _ body: String = "[]", reason: String = "OK",
                headers: HeaderFields = [:]
            ) -> APIResponse {
                var headers = headers
                if headers["Content-Type"] == nil { headers.append("Content-Type", type) }
                let head = ResponseHead(status: status, reason: reason, headers: headers, url: url)
                return APIResponse(head: head, body: ResponseBody(Data(body.utf8)))
            }
            func json(_ name: String) throws -> String {
                String(decoding: try JSONEncoder().encode([name: text]), as: UTF8.self)
            }
            switch part {
            case .reason: return reply(400, reason: text)
            case .header: return reply(400, headers: ["X-Note": text])
            case .location: return reply(400, headers: ["Location": "/next?cursor=\(text)"])
            case .mediaType: return reply(200, "text/\(text)", "[]")
            case .text: return reply(400, "text/plain", text)
            case .page: return reply(200, "application/json", "<html> \(text)")
            case .localized: return reply(400, "application/json", try json("message"))
            case .problemTitle: return reply(400, "application/problem+json", try json("title"))
            case .problemDetail: return reply(400, "application/problem+json", try json("detail"))
            case .failure: throw ServiceError(.transport, "the server sent \(text)")
            case .challenge:
                return reply(401, headers: ["WWW-Authenticate": "Bearer realm=\"\(text)\", error=\"\(text)\""])
            }
        }
    }
}
