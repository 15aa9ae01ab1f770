public import Errand
import ErrandSupport

/// A store of responses on a Valkey or Redis server, for processes on several machines.
///
/// ```swift
/// let store = ValkeyCacheStore(client, seal: try ValueSeal(key: Secret(key)))
/// let session = PlatformSession.platform.cached(in: store)
/// ```
/// One process requests a response that is missing or stale, and the others wait until it is stored, at most for ``maximumWait``.
/// If the response is not stored within the ``lease``, because the process is slow or was killed, another process sends the
/// request. For 10 seconds after a response that may not be stored, requests are sent without waiting.
///
/// When the store is full, the least recently used entries are removed. A body is read completely before it is used, so large
/// bodies are not stored. Dates are converted between the clocks of the machines. If one process changes a resource, another
/// one does not store an older response that it is receiving.
///
/// While the server cannot be used, the requests are sent. Use a separate ``ValkeyClient`` for the cache, so that limits and tokens
/// do not wait for the transfer of bodies, and set a short ``ValkeyClient/Configuration/timeout``.
public final class ValkeyCacheStore: CacheStore {
    /// The default capacity: 100 MB.
    public static let defaultCapacity: Int64 = 100 << 20
    /// The largest possible maximum size of a body: 8 MB.
    public static let largestEntry: Int64 = 8 << 20
    /// The time after which a lease expires: 5 seconds. Another process can then send the request.
    public static let lease: Duration = .seconds(5)
    /// The maximum time to wait for other processes: 10 seconds.
    public static let maximumWait: Duration = .seconds(10)
    /// The pauses between two attempts to get the lease. Each pause is twice the previous one.
    private static let pauses: ClosedRange<Duration> = .milliseconds(2) ... .milliseconds(64)
    /// The time without leases after a response that may not be stored.
    private static let unstorableTime: Duration = .seconds(10)
    /// The time without leases after a failed request, so that the others do not fail one after another.
    private static let failureTime: Duration = .milliseconds(500)
    /// The maximum number of remembered removals.
    private static let rememberedRemovals = 1_000

    private static let entries = ValkeyScript(CacheScript.entries)
    private static let store = ValkeyScript(CacheScript.store)
    private static let update = ValkeyScript(CacheScript.update)
    private static let remove = ValkeyScript(CacheScript.remove)
    private static let acquire = ValkeyScript(CacheScript.lease)
    private static let release = ValkeyScript(CacheScript.release)
    private static let urls = ValkeyScript(CacheScript.urls)

    private struct State: Sendable {
        var damaged = 0
        /// The number of calls that removed the entries of several keys.
        var removals = 0
        /// The times of the last removals by this process, by the digests of the keys.
        var removedAt: [String: String] = [:]
    }

    private let client: ValkeyClient
    private let seal: ValueSeal?
    private let prefix: String
    private let capacity: Int64
    let entryLimit: Int64
    private let time: any TimeSource
    private let state = Locked(State())

    /// Creates a store.
    /// - Parameters:
    ///   - client: The client.
    ///   - seal: Encrypts the responses. With `nil`, they are stored in readable form, and only those to requests without an
    ///     ``/Errand/RequestOptions/identity`` are stored.
    ///   - capacity: The maximum total size in bytes of the entries. The default is 100 MB. Pass the same value in each process.
    ///   - entryLimit: The maximum size in bytes of a body, at most ``largestEntry``. The default is 1 MB, or an eighth of a
    ///     smaller capacity.
    ///   - prefix: The first characters of the names of all keys on the server. The default is `errand:cache:`.
    ///   - time: The clock of the dates and of the waits for other processes.
    public init(
        _ client: ValkeyClient, seal: ValueSeal?, capacity: Int64 = ValkeyCacheStore.defaultCapacity,
        entryLimit: Int64? = nil, prefix: String = "errand:cache:", time: some TimeSource = .system
    ) {
        (self.client, self.seal, self.prefix, self.time) = (client, seal, prefix, time)
        self.capacity = max(0, capacity)
        let limit = entryLimit ?? min(1 << 20, self.capacity / 8)
        self.entryLimit = max(0, min(limit, self.capacity, Self.largestEntry))
    }

    /// The number of entries that this store could not open, because they were sealed with another key or damaged.
    public var damagedEntries: Int { state.withLock { $0.damaged } }

    /// Returns the complete entries of a key, the newest first.
    /// - Throws: The errors of ``ValkeyClient/ping()``.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        guard isStorable(key) else { return [] }
        // Read before the server is asked, so that entries do not look younger than they are.
        let now = time.date
        guard let variants = try await run(Self.entries, key, []).array else { throw Self.malformed }
        let found = variants.compactMap { entry($0, key, now) }
        if found.count < variants.count { state.withLock { $0.damaged += variants.count - found.count } }
        return found.sorted { $0.responseDate > $1.responseDate }
    }

    /// Starts to store a response.
    public func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
        guard entryLimit > 0, isStorable(key) else { return nil }
        return ValkeyCacheWriter(store: self, entry: entry, key: key, removals: removals)
    }

    /// Replaces the headers and times of an entry.
    /// - Throws: The errors of ``ValkeyClient/ping()``, and the error of your seal.
    public func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) async throws {
        guard let size = old.size, let hash = Variant.hash(of: old), isStorable(key) else { return }
        let variant = try Variant(entry, self, bodyHash: hash)
        let header = try variant.header(entry, key, size: size)
        let arguments = [variant.name, old.mark, variant.mark] + ages(entry)
        _ = try await run(Self.update, key, arguments.map { Data($0.utf8) } + [header])
    }

    /// Removes the entries of a key. A response to a request that any process has sent before is not stored.
    /// - Throws: The errors of ``ValkeyClient/ping()``.
    public func remove(_ key: CacheKey) async throws {
        let reply = try await run(Self.remove, key, [])
        state.withLock { state in
            if state.removedAt.count >= Self.rememberedRemovals { state.removedAt = [:] }
            state.removedAt[key.digest] = reply.string
        }
    }

    /// Removes the entries of all URLs that satisfy a condition. Responses that are being written by this process are
    /// discarded.
    /// - Throws: The errors of ``ValkeyClient/ping()``.
    public func remove(matching condition: @Sendable (URL) -> Bool) async throws {
        state.withLock { $0.removals += 1 }
        var cursor = "0"
        repeat {
            let reply = try await client.send(RESPCommand("ZSCAN", prefix + "index", cursor, "COUNT", "500"))
            guard let parts = reply.array, parts.count == 2, let next = parts[0].string, let members = parts[1].array
            else { throw Self.malformed }
            let digests = stride(from: 0, to: members.count, by: 2).compactMap { members[$0].string }
            cursor = next
            guard !digests.isEmpty else { continue }
            let urls = try await Self.urls.run(client, key: prefix + "index", [prefix] + digests).array ?? []
            guard urls.count == digests.count else { throw Self.malformed }
            for (digest, sealed) in zip(digests, urls) {
                // An entry that cannot be opened is removed, too.
                let url = sealed.bytes.flatMap { try? open($0, digest, "url") }
                    .flatMap { URL(string: String(decoding: $0, as: UTF8.self)) }
                guard url.map(condition) ?? true else { continue }
                _ = try await Self.remove.run(client, key: prefix + digest, [prefix, digest])
            }
        } while cursor != "0"
    }

    /// The number of URLs with entries, and the total size of the entries.
    public var usage: CacheUsage {
        get async throws {
            let count = try await client.send(RESPCommand("ZCARD", prefix + "index"))
            let bytes = try await client.send(RESPCommand("HGET", prefix + "sizes", "total"))
            return CacheUsage(entries: Int(count.integer ?? 0), bytes: bytes.integer ?? 0)
        }
    }

    /// Waits until no other process requests the response.
    /// - Throws: The errors of ``ValkeyClient/ping()``. `CancellationError`.
    public func lease(of key: CacheKey) async throws -> CacheLease {
        guard isStorable(key), entryLimit > 0 else { return CacheLease() }
        let owner = SystemRandom().uuid()
        do {
            return try await lease(of: key, owner)
        } catch {
            // The server may have granted the lease. The task is unstructured because this one is possibly cancelled.
            Task { await release(key, owner, .failed) }
            throw error
        }
    }

    private func lease(of key: CacheKey, _ owner: String) async throws -> CacheLease {
        let (end, length) = (time.now + Self.maximumWait, "\(Self.lease.wholeMicroseconds)")
        var (pause, since) = (Self.pauses.lowerBound, "")
        while true {
            let reply = try await run(Self.acquire, key, [owner, length, since].map { Data($0.utf8) })
            guard let parts = reply.array, parts.count == 3, let state = parts[0].integer,
                let detail = parts[1].integer,
                let now = parts[2].string
            else { throw Self.malformed }
            switch state {
            case 1: return CacheLease(hasNewEntries: detail == 1) { await self.release(key, owner, $0) }
            case 0 where time.now < end: break
            default: return CacheLease(hasNewEntries: state == 3)
            }
            if since.isEmpty { since = now }
            try await time.sleep(until: time.now + min(pause, .microseconds(detail)))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }
}

extension ValkeyCacheStore {
    private static let malformed = ServiceError(.badResponse, "the reply of the cache script is malformed")

    /// The number of calls that removed the entries of several keys.
    var removals: Int { state.withLock { $0.removals } }

    /// Stores a response with its body.
    func insert(_ entry: CacheEntry, _ key: CacheKey, _ body: Data) async throws {
        let variant = try Variant(entry, self, bodyHash: XXHash64.hash(body))
        let texts = [variant.name, variant.mark] + ages(entry)
        let url = try sealed(Data(key.url.utf8), key.digest, "url")
        let header = try variant.header(entry, key, size: Int64(body.count))
        let parts = [header, try sealed(body, key.digest, variant.name + "b"), url]
        let rest = ["\(capacity)", state.withLock { $0.removedAt[key.digest] } ?? ""].map { Data($0.utf8) }
        guard try await run(Self.store, key, texts.map { Data($0.utf8) } + parts + rest).integer != 2 else {
            throw ServiceError(.file, "the cache has no space for an entry of \(body.count) bytes")
        }
    }

    private func release(_ key: CacheKey, _ owner: String, _ outcome: CacheLease.Outcome) async {
        let pause: Duration =
            switch outcome {
            case .stored: .zero
            case .failed: Self.failureTime
            case .notStorable: Self.unstorableTime
            }
        // The task is unstructured because the lease must also end if this task is cancelled. The client limits its time.
        await Task {
            _ = try? await run(Self.release, key, [owner, "\(pause.wholeMicroseconds)"].map { Data($0.utf8) })
        }.value
    }

    private func isStorable(_ key: CacheKey) -> Bool { seal != nil || key.identity == nil }

    private func run(_ script: ValkeyScript, _ key: CacheKey, _ arguments: [Data]) async throws -> RESPValue {
        let digest = key.digest
        return try await script.run(
            client, key: prefix + digest, bytes: [prefix, digest].map { Data($0.utf8) } + arguments)
    }

    private func sealed(_ value: Data, _ digest: String, _ name: String) throws -> Data {
        try seal?.seal(value, context: "\(prefix)\(digest) \(name)") ?? value
    }

    private func open(_ value: Data, _ digest: String, _ name: String) throws -> Data {
        try seal?.open(value, context: "\(prefix)\(digest) \(name)") ?? value
    }

    /// The microseconds since the response was received, and since its request was sent.
    private func ages(_ entry: CacheEntry) -> [String] {
        let age = max(0, time.date.timeIntervalSince(entry.responseDate))
        let delay = max(0, entry.responseDate.timeIntervalSince(entry.requestDate))
        return [age, age + delay].map { "\(Int64(min($0, 1e9) * 1e6))" }
    }

    /// Decodes a variant. Returns `nil` if it is damaged.
    private func entry(_ value: RESPValue, _ key: CacheKey, _ now: Date) -> CacheEntry? {
        guard let parts = value.array, parts.count == 6, let name = parts[0].string, let mark = parts[1].string,
            let received = parts[2].integer, let sent = parts[3].integer, let header = parts[4].bytes,
            let body = parts[5].bytes, let headerText = try? open(header, key.digest, name + "h"),
            var stored = StoredHeader(headerText), stored.key == key.digest, stored.url == key.url,
            let bytes = try? open(body, key.digest, name + "b"), stored.size == Int64(bytes.count),
            stored.bodyHash == XXHash64.hash(bytes)
        else { return nil }
        stored.responseDate = now.timeIntervalSince1970 - Double(received) / 1e6
        stored.requestDate = now.timeIntervalSince1970 - Double(sent) / 1e6
        return stored.entry(ResponseBody(bytes), mark: mark)
    }

    /// The name of a variant on the server, and the mark of its new version.
    private struct Variant {
        let name: String
        /// A new identifier, a dot, and the hash of the body. An update can therefore do without the body.
        let mark: String
        private let bodyHash: UInt64
        private let store: ValkeyCacheStore

        static func hash(of entry: CacheEntry) -> UInt64? {
            entry.mark.split(separator: ".").last.flatMap { UInt64($0, radix: 16) }
        }

        init(_ entry: CacheEntry, _ store: ValkeyCacheStore, bodyHash: UInt64) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            name = SHA256.hash(try encoder.encode(entry.selection)).prefix(8).hexadecimal
            mark = "\(SystemRandom().uuid()).\(String(bodyHash, radix: 16))"
            (self.store, self.bodyHash) = (store, bodyHash)
        }

        func header(_ entry: CacheEntry, _ key: CacheKey, size: Int64) throws -> Data {
            var stored = StoredHeader(entry, key, size: size)
            stored.bodyHash = bodyHash
            return try store.sealed(try stored.data, key.digest, name + "h")
        }
    }
}
