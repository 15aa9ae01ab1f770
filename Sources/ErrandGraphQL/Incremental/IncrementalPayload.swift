import Errand
import ErrandJSON

/// A payload of an incremental response: the initial response, or a later part of it.
struct IncrementalPayload {
    /// An announced part: a deferred fragment or a streamed list.
    struct Pending: Decodable {
        let id: String
        let path: [GraphQLError.PathElement]
        let label: String?
    }

    /// The end of an announced part.
    struct Completed: Decodable {
        let id: String
    }

    /// Data of a deferred fragment, or items of a streamed list.
    struct Entry: Decodable {
        let id: String?
        let path: [GraphQLError.PathElement]?
        let subPath: [GraphQLError.PathElement]?
    }

    private struct Envelope: Decodable {
        let pending: [Pending]?
        let incremental: [Entry]?
        let completed: [Completed]?
        let path: [GraphQLError.PathElement]?
        let hasNext: Bool?
    }

    /// The unparsed members of an object.
    struct Members {
        private let values: [String: Data]

        fileprivate init(_ text: Data) {
            var values: [String: Data] = [:]
            for (name, value) in RawJSON.members(of: text) ?? [] {
                // Texts are compared as bytes, because comparing strings can take quadratic time.
                guard let known = Self.names.first(where: { $0.utf8.elementsEqual(name.utf8) }) else { continue }
                // If a name is repeated, the first value is used, as by the decoder.
                values[known] = values[known] ?? value
            }
            self.values = values
        }

        private static let names = ["data", "items", "errors", "extensions", "incremental", "completed"]

        /// The value of a member, or `nil` if it is missing or null.
        subscript(name: String) -> Data? {
            values[name].flatMap { $0.starts(with: "null".utf8) ? nil : $0 }
        }

        func contains(_ name: String) -> Bool { values[name] != nil }

        var errors: [Data] { elements("errors") }

        func elements(_ name: String) -> [Data] {
            self[name].flatMap { RawJSON.elements(of: $0, upTo: .max) } ?? []
        }
    }

    let members: Members
    let pending: [Pending]
    let incremental: [(entry: Entry, members: Members)]
    let completed: [(entry: Completed, members: Members)]
    /// Whether the members of the payload are those of an entry, as in the oldest format.
    let isEntry: Bool
    /// `nil` if the payload does not have it.
    let hasNext: Bool?

    /// Parses a payload. `number` is that of the payload, from 1.
    init(_ text: Data, number: Int) throws(ServiceError) {
        let envelope: Envelope
        do {
            envelope = try FastJSONDecoder().decode(Envelope.self, from: text)
        } catch {
            var failure = JSONDecoder().failure(error, decoding: Envelope.self, from: text)
            guard failure.code == .decoding else { throw failure }
            failure.reason = "payload \(number) cannot be decoded: \(failure.reason)"
            throw failure
        }
        (pending, hasNext) = (envelope.pending ?? [], envelope.hasNext)
        members = Members(text)
        completed = zip(envelope.completed ?? [], members.elements("completed")).map { ($0, Members($1)) }
        var entries = zip(envelope.incremental ?? [], members.elements("incremental")).map { ($0, Members($1)) }
        isEntry = envelope.path != nil
        if let path = envelope.path { entries.append((Entry(id: nil, path: path, subPath: nil), members)) }
        incremental = entries
    }
}
