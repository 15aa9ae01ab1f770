import Errand
import TestSupport
import Testing

/// Compiler diagnostics for correct and incorrect uses of scopes in another module. Serialized, because each compiler
/// uses a full core.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestEnvironment.runsHeavyTests || SwiftCompiler() != nil, "swiftc not found"))
struct ScopeTypingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let line: String
        /// Strings that the diagnostic must contain.
        let words: [String]
        var testDescription: String { name }
    }

    /// The API as another module declares it. The clients are parameters, so that none has to be created.
    private static let api = """
        import Errand

        nonisolated struct Offer: Decodable, Sendable {}
        nonisolated struct Profile: Decodable, Sendable {}
        struct SearchAPI: APIHandler {
            func makeRequest(from text: String) throws -> URLRequest { throw ServiceError(.encoding, text) }
            func parseResponse(data: Data, response: HTTPURLResponse) -> Int { data.count }
        }

        protocol GuestAccess: AuthorizationScope {}
        protocol CustomerAccess: GuestAccess {}
        protocol StaffAccess: CustomerAccess {}
        enum Scope {
            enum Guest: GuestAccess {}
            enum Customer: CustomerAccess {}
            enum Staff: StaffAccess {}
            enum Partner: GuestAccess {}
        }

        enum Shop {
            static func offers<S: GuestAccess>() -> AuthorizedEndpoint<S, [Offer]> {
                Endpoint(path: "offers").authorized(for: S.self)
            }
            static func profile<S: CustomerAccess>() -> AuthorizedEndpoint<S, Profile> {
                Endpoint(path: "profile").authorized(for: S.self)
            }
            static func close<S: StaffAccess>() -> AuthorizedEndpoint<S, Void> {
                Endpoint(method: .delete, path: "shop").authorized(for: S.self)
            }
            static func search<S: CustomerAccess>() -> AuthorizedHandler<S, SearchAPI> {
                SearchAPI().authorized(for: S.self)
            }
        }

        func use(
            plain: APIClient, guest: AuthorizedClient<Scope.Guest>, customer: AuthorizedClient<Scope.Customer>,
            staff: AuthorizedClient<Scope.Staff>, partner: AuthorizedClient<Scope.Partner>,
            profile: AuthorizedEndpoint<Scope.Customer, Profile>
        ) async throws(ServiceError) {

        """

    private static let good = """
            let offers = try await guest.request(Shop.offers())
            let profile = try await customer.request(Shop.profile())
            _ = (offers as [Offer], profile as Profile)
            _ = try await customer.request(Shop.offers())
            _ = try await customer.load(Shop.search(), "dog").words
            _ = try await staff.response(Shop.profile()).head
            _ = try await partner.request(Shop.offers())
            try await staff.request(Shop.close())
            try await show(staff)
            try await show(customer)
        }

        func show(_ client: AuthorizedClient<some CustomerAccess>) async throws(ServiceError) {
            _ = try await client.request(Shop.offers())
            _ = try await client.request(Shop.profile())
        }

        extension Int { var words: String { "\\(self)" } }

        extension AuthorizedClient<Scope.Customer> {
            static func signedIn(
                _ authorization: some Interceptor, in environment: some APIEnvironment,
                over session: some APISession = .platform
            ) -> Self {
                Self(environment: environment, session: session.intercepted(by: authorization))
            }
        }
        """

    static let bad: [Row] = [
        Row(
            name: "a guest sends a customer's endpoint", line: "_ = try await guest.request(Shop.profile())",
            words: ["static method 'profile()' requires that 'Scope.Guest' conform to 'CustomerAccess'"]),
        Row(
            name: "a guest runs a customer's handler",
            line: #"_ = try await guest.load(Shop.search(), "dog")"#,
            words: ["static method 'search()' requires that 'Scope.Guest' conform to 'CustomerAccess'"]),
        Row(
            name: "a guest sends an existing customer's endpoint",
            line: "_ = try await guest.request(profile)",
            words: ["AuthorizedEndpoint<Scope.Customer, Profile>", "AuthorizedEndpoint<Scope.Guest, Profile>"]),
        Row(
            name: "a client without a scope sends a scoped endpoint", line: "_ = try await plain.request(profile)",
            words: ["cannot convert value of type 'AuthorizedEndpoint<Scope.Customer, Profile>'", "'Endpoint<"]),
        Row(
            name: "a loader runs a scoped endpoint", line: "_ = APILoader(profile)",
            words: ["'APILoader' requires that 'AuthorizedEndpoint<Scope.Customer, Profile>' conform to 'APIHandler'"]),
        Row(
            name: "an endpoint's scope is cast",
            line: "_ = try await guest.request(profile as AuthorizedEndpoint<Scope.Guest, Profile>)",
            words: ["'Authorization' ('Scope.Customer' and 'Scope.Guest') are expected to be equal"]),
        Row(
            name: "a client's scope is cast",
            line: "_ = try await (guest as AuthorizedClient<Scope.Customer>).request(profile)",
            words: ["'Authorization' ('Scope.Guest' and 'Scope.Customer') are expected to be equal"]),
        Row(
            name: "a client's scope is force-cast",
            line: "_ = guest as! AuthorizedClient<Scope.Customer>", words: ["to unrelated type", "always fails"]),
        Row(
            name: "a raw endpoint is sent by a client with a scope",
            line: #"_ = try await guest.request(Endpoint<Profile>(path: "profile"))"#,
            words: ["cannot convert value of type 'Endpoint<Profile>'", "'AuthorizedEndpoint<Scope.Guest, "]),
        Row(
            name: "a raw endpoint is wrapped manually",
            line: #"_ = try await guest.request(AuthorizedEndpoint(raw: Endpoint<Profile>(path: "profile")))"#,
            words: ["initializer is inaccessible due to 'internal' protection level"]),
        Row(
            name: "the raw endpoint is read", line: "_ = try await plain.request(profile.raw)",
            words: ["'raw' is inaccessible due to 'internal' protection level"]),
        Row(
            name: "an endpoint gets a second scope", line: "_ = profile.authorized(for: Scope.Guest.self)",
            words: ["'AuthorizedEndpoint<Scope.Customer, Profile>' has no member 'authorized'"]),
        Row(
            name: "a custom scope without access", line: "_ = try await partner.request(Shop.profile())",
            words: ["requires that 'Scope.Partner' conform to 'CustomerAccess'"]),
        Row(
            name: "a customer sends a staff endpoint", line: "try await customer.request(Shop.close())",
            words: ["requires that 'Scope.Customer' conform to 'StaffAccess'"]),
    ]

    private let folder: ScratchFolder
    private let compiler: SwiftCompiler

    init() throws {
        folder = try ScratchFolder()
        compiler = try #require(SwiftCompiler(), "the heavy tests require swiftc in PATH")
    }

    @Test(arguments: [[], ["-default-isolation", "MainActor"]])
    func `code with the right scopes compiles without diagnostics`(flags: [String]) async throws {
        let file = try folder.file(Data((Self.api + Self.good).utf8), name: "good.swift")
        #expect(try await compiler.complaints(about: file, flags) == "")
    }

    @Test(arguments: bad) func `code with a wrong scope is rejected with a diagnostic`(row: Row) async throws {
        let file = try folder.file(Data((Self.api + "    \(row.line)\n}\n").utf8), name: "bad.swift")
        let complaints = try await compiler.complaints(about: file)
        // Only this line is wrong.
        let position = "bad.swift:\(Self.api.components(separatedBy: "\n").count):"
        let first = complaints.components(separatedBy: "\n").first { $0.contains("error:") || $0.contains("warning:") }
        #expect(first?.contains(position) == true, "\(complaints)")
        for word in row.words { #expect(complaints.contains(word), "\(complaints)") }
    }
}
