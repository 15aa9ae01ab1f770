public import Errand
import ErrandSupport

/// A test suite for the rules of every ``/Errand/CacheStore``. Run it on a custom store before you use the store.
///
/// ```swift
/// try await CacheStoreContract { _ in MemoryCacheStore() }.verify()
/// ```
/// Each promise is checked with a new name, and its store must be empty. Bodies have at most 100 kB. A run waits for less than
/// a second in all.
public struct CacheStoreContract: Sendable {
    /// What the stores of several processes share.
    public enum Sharing: Sendable, Hashable, Comparable {
        /// Nothing.
        case none
        /// The entries.
        case entries
        /// The entries, and the leases of requests.
        case leases
    }

    private let sharing: Sharing
    private let makeStore: @Sendable (_ name: String) async throws -> any CacheStore

    /// Creates the contract.
    /// - Parameters:
    ///   - sharing: What several stores with the same name share, as in several processes. The default is `none`.
    ///   - makeStore: Returns a store with a name, such as that of its folder. Called several times for the same name if the
    ///     store is shared.
    public init(
        sharing: Sharing = .none, _ makeStore: @escaping @Sendable (_ name: String) async throws -> any CacheStore
    ) {
        (self.sharing, self.makeStore) = (sharing, makeStore)
    }

    /// The names of all promises, in the order in which they are checked.
    public static var promises: [String] { CacheStorePromise.all.map(\.name) }

    /// Checks every promise. Those between several stores are checked only if the stores share what the promise needs.
    /// - Throws: ``VerificationError`` with one problem for each broken promise (its name and the observed behavior).
    public func verify() async throws(VerificationError) {
        try await VerificationError.check(CacheStorePromise.all.filter { $0.sharing <= sharing }) { promise in
            let name = "contract-\(SystemRandom().uuid())"
            let first = try await makeStore(name)
            let second = sharing > .none ? try await makeStore(name) : first
            try await promise.check(CacheStoreTrial(first: first, second: second))
            try await first.removeAll()
        }
    }
}

/// Two stores with the same entries, or one store twice.
struct CacheStoreTrial: Sendable {
    let first: any CacheStore
    let second: any CacheStore

    /// The time by which the dates of an entry may differ: one second.
    private static let tolerance: TimeInterval = 1
    private static let now = Date()

    func key(_ number: Int, _ account: String? = nil) -> CacheKey {
        CacheKey(url: "https://api.example/\(number)", identity: account.map { Credentials.Identity($0) })
    }

    /// Returns a response to a request that was sent some seconds ago.
    func entry(
        _ tag: String, _ number: Int = 1, language: String? = nil, sentBefore seconds: TimeInterval = 2
    ) throws -> CacheEntry {
        let url = try url(key(number).url)
        var request = URLRequest(url: url)
        if let language { request.setValue(language, forHTTPHeaderField: "Accept-Language") }
        let headers: HeaderFields = language == nil ? [:] : ["Vary": "Accept-Language"]
        guard let selection = VarySelection(headers, of: APIRequest(head: request, body: .none)) else {
            throw SessionContract.Broken("the selection is invalid")
        }
        let head = ResponseHead(
            status: 200, headers: ["ETag": "\"\(tag)\"", "Set-Cookie": "a=1", "set-cookie": "b=ü"], url: url)
        let sent = Self.now.addingTimeInterval(-seconds)
        return CacheEntry(
            head: head, requestDate: sent, responseDate: sent.addingTimeInterval(0.5), selection: selection,
            isEncoded: true)
    }

    private func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw SessionContract.Broken("the URL is invalid") }
        return url
    }

    /// Stores a response in two chunks.
    func insert(_ entry: CacheEntry, _ body: Data, _ key: CacheKey, into store: (any CacheStore)? = nil) async throws {
        guard let writer = try await (store ?? first).makeWriter(for: entry, key: key) else {
            throw SessionContract.Broken("the store has no writer for a small response")
        }
        for part in [body.prefix(1_000), body.dropFirst(1_000)] where !part.isEmpty {
            guard try await writer.write(Data(part)) else {
                throw SessionContract.Broken("the store has no space for \(body.count) bytes")
            }
        }
        try await writer.finish()
    }

    /// Expects entries with these entity tags and bodies, in any order.
    func expect(_ expected: [String: Data], _ key: CacheKey, in store: (any CacheStore)? = nil) async throws {
        var found: [String: Data] = [:]
        for entry in try await (store ?? first).entries(for: key) {
            let tag = entry.head.headers["ETag"] ?? ""
            found[String(tag.dropFirst().dropLast())] = try await entry.body.collect()
        }
        guard found == expected else {
            let lists = [expected, found].map { entries in
                entries.map { "\($0) with \($1.count) bytes" }.sorted().joined(separator: ", ")
            }
            throw SessionContract.Broken("expected the entries [\(lists[0])], found [\(lists[1])]")
        }
    }

    /// Expects an entry to be stored unchanged.
    func expectStored(_ entry: CacheEntry, size: Int, _ key: CacheKey) async throws {
        guard let found = try await first.entries(for: key).first else { throw SessionContract.Broken("no entry") }
        let isSame =
            found.head.status == entry.head.status && found.head.headers == entry.head.headers
            && found.head.url == entry.head.url && found.selection == entry.selection && found.size == Int64(size)
            && found.isEncoded == entry.isEncoded
        guard isSame else { throw SessionContract.Broken("the stored response was changed") }
        let dates = [(found.requestDate, entry.requestDate), (found.responseDate, entry.responseDate)]
        guard dates.allSatisfy({ abs($0.timeIntervalSince($1)) <= Self.tolerance }) else {
            throw SessionContract.Broken("the dates differ by more than a second")
        }
    }
}
