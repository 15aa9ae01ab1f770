package import Errand
import ErrandSupport

/// A pure value that merges the payloads of an incremental response into one response.
///
/// Two formats are supported. In that of the GraphQL specification draft, entries refer to announced parts by `id`
/// (<https://specs.apollo.dev/incremental/v0.2>). In an older format, they have a `path`.
package struct IncrementalMerger: Sendable {
    /// The maximum number of parts that are announced and not complete: 65,536.
    static let pendingLimit = 65_536

    private struct Part: Sendable {
        let path: [GraphQLError.PathElement]
        let label: String?
        /// The number of the part, in the order of the announcements.
        let number: Int
    }

    private var data: MergedJSON?
    private var errors: [Data] = []
    private var extensions: MergedJSON?
    private var parts: [[UInt8]: Part] = [:]
    private var partCount = 0
    /// The number of payloads.
    package private(set) var count: Int = 0
    /// Whether the last merged payload has changed the data, the errors or the extensions.
    private(set) var isChanged = false
    /// Whether the last payload was merged.
    package private(set) var isComplete: Bool = false

    /// Creates a merger without a payload.
    package init() {}

    /// The announced parts that are not complete, in the order of their announcement.
    var pending: [GraphQLPendingPart] {
        parts.values.sorted { $0.number < $1.number }.map { GraphQLPendingPart(path: $0.path, label: $0.label) }
    }

    /// Merges the next payload.
    /// - Throws: ``/Errand/ServiceError`` if it is malformed, or is inconsistent with the earlier payloads.
    package mutating func merge(_ text: Data) throws(ServiceError) {
        count += 1
        isChanged = count == 1
        let payload = try IncrementalPayload(text, number: count)
        if count == 1 {
            data = payload.members["data"].map { .text($0) } ?? (payload.members.contains("data") ? Self.null : nil)
        } else if payload.hasNext == nil {
            throw ServiceError(.badResponse, "expected hasNext in payload \(count), found none")
        }
        if !payload.isEntry { add(payload.members) }
        for part in payload.pending { try announce(part) }
        for (entry, members) in payload.incremental { try merge(entry, members) }
        for (entry, members) in payload.completed {
            guard parts.removeValue(forKey: Array(entry.id.utf8)) != nil else { throw unknown(entry.id) }
            add(errors: members.errors)
        }
        isComplete = !(payload.hasNext ?? !parts.isEmpty)
        guard !isComplete || parts.isEmpty else {
            throw ServiceError(
                .badResponse, "expected the completion of \(parts.count) announced parts, found the last payload")
        }
    }

    /// The text of the merged response.
    package var response: Data {
        var output = Data("{".utf8)
        if let data {
            output += Data(#""data":"#.utf8)
            data.write(to: &output)
            output += Data(",".utf8)
        }
        if !errors.isEmpty {
            output += Data(#""errors":"#.utf8) + RawJSON.array(errors) + Data(",".utf8)
        }
        if let extensions {
            output += Data(#""extensions":"#.utf8)
            extensions.write(to: &output)
            output += Data(",".utf8)
        }
        return output + Data(#""hasNext":\#(!isComplete)}"#.utf8)
    }
}

extension IncrementalMerger {
    private static let null = MergedJSON.text(Data("null".utf8))

    /// Adds the errors and the extensions of a payload or an entry.
    private mutating func add(_ members: IncrementalPayload.Members) {
        add(errors: members.errors)
        guard let added = members["extensions"].map({ MergedJSON.text($0) }), added.kind == .object else { return }
        isChanged = true
        var merged = extensions ?? .text(Data("{}".utf8))
        // The merge of two objects fails only if the objects are nested too deeply. The extensions are then those of the entry.
        if (try? merged.apply(.merge(added), at: [])) == nil { merged = added }
        extensions = merged
    }

    private mutating func add(errors added: [Data]) {
        guard !added.isEmpty else { return }
        errors += added
        isChanged = true
    }

    private mutating func announce(_ part: IncrementalPayload.Pending) throws(ServiceError) {
        guard parts.count < Self.pendingLimit else {
            throw ServiceError(.badResponse, "expected at most \(Self.pendingLimit) announced parts, found more")
        }
        try checkDepth(part.path)
        partCount += 1
        let new = Part(path: part.path, label: part.label, number: partCount)
        guard parts.updateValue(new, forKey: Array(part.id.utf8)) == nil else {
            throw ServiceError(.badResponse, "expected a new ID of a part, found \(part.id.quoted) twice")
        }
    }

    private mutating func merge(
        _ entry: IncrementalPayload.Entry, _ members: IncrementalPayload.Members
    ) throws(ServiceError) {
        add(members)
        let (path, index) = try target(of: entry, isList: members.contains("items"))
        if let items = members["items"] {
            let elements = RawJSON.elements(of: items, upTo: .max)
            guard let elements else {
                throw ServiceError(.badResponse, "expected a list of streamed items in payload \(count), found none")
            }
            try apply(.append(elements.map { .text($0) }, at: index), at: path)
        } else if let fields = members["data"].map({ MergedJSON.text($0) }) {
            guard fields.kind == .object else {
                throw ServiceError(
                    .badResponse, "expected an object of deferred data in payload \(count), found \(fields.kind)")
            }
            try apply(.merge(fields), at: path)
        }
    }

    private mutating func apply(_ edit: MergedJSON.Edit, at path: [GraphQLError.PathElement]) throws(ServiceError) {
        guard var merged = data else {
            throw ServiceError(.badResponse, "expected data in the first payload before payload \(count), found none")
        }
        if !edit.isEmpty { isChanged = true }
        data = nil
        defer { data = merged }
        try merged.apply(edit, at: path[...])
    }

    /// Returns the path of an entry. In the older format, the path of streamed items ends with an index.
    private func target(
        of entry: IncrementalPayload.Entry, isList: Bool
    ) throws(ServiceError) -> (path: [GraphQLError.PathElement], index: Int?) {
        if let id = entry.id {
            guard let part = parts[Array(id.utf8)] else { throw unknown(id) }
            let path = part.path + (entry.subPath ?? [])
            try checkDepth(path)
            return (path, nil)
        }
        guard var path = entry.path else {
            throw ServiceError(.badResponse, "expected an ID or a path of the data in payload \(count), found neither")
        }
        try checkDepth(path)
        guard isList, case .index(let index) = path.last else { return (path, nil) }
        path.removeLast()
        return (path, index)
    }

    private func checkDepth(_ path: [GraphQLError.PathElement]) throws(ServiceError) {
        guard path.count <= MergedJSON.depthLimit else {
            throw ServiceError(
                .badResponse, "expected a path of at most \(MergedJSON.depthLimit) elements, found \(path.count)")
        }
    }

    private func unknown(_ id: String) -> ServiceError {
        ServiceError(.badResponse, "expected the ID of an announced part, found \(id.quoted)")
    }
}

extension String {
    /// A short form of this text for an error message.
    fileprivate var quoted: String { "\"\(singleLine(limit: 64))\"" }
}
