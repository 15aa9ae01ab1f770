import Errand
import ErrandSupport

/// The parts of a GraphQL multipart request (section "Multipart form field structure").
struct UploadOperations {
    /// A file with all of its paths.
    private struct File {
        let part: MultipartBody.Part
        var paths: [String]
    }

    private var members: [(name: String, value: Data)]
    private let declared: [String]
    private var files: [File] = []

    /// Reads the JSON of an operation.
    init(_ operation: Data, declaring variables: [String]) throws(ServiceError) {
        guard let members = RawJSON.members(of: operation) else {
            throw ServiceError(.encoding, "expected variables that are encoded as JSON")
        }
        (self.members, declared) = (members, variables)
    }

    /// Adds a file, and sets the value at its path to `null`.
    mutating func add(_ file: MultipartBody.Part) throws(ServiceError) {
        let path = try VariablePath(file.name)
        guard declared.contains(path.variable) else {
            let names = declared.prefix(8).map { "$\($0)" }.joined(separator: ", ")
            let problem = names.isEmpty ? "the operation declares no variables" : "expected one of \(names)"
            throw ServiceError(.encoding, "\(path): \(problem)")
        }
        let name = "variables.\(file.name)"
        let others = files.flatMap(\.paths)
        guard !others.contains(where: { $0 == name || $0.hasPrefix("\(name).") || name.hasPrefix("\($0).") }) else {
            throw ServiceError(.encoding, "\(path): expected one file for each path, found two")
        }
        let index = members.firstIndex { $0.name == "variables" }
        let value = try path.settingNull(in: index.map { members[$0].value })
        if let index { members[index].value = value } else { members.append(("variables", value)) }
        append(file)
    }

    private mutating func append(_ file: MultipartBody.Part) {
        let path = "variables.\(file.name)"
        let part = MultipartBody.Part(
            name: "", fileName: file.fileName ?? "file", contentType: file.contentType, headers: file.headers,
            content: file.content)
        if let index = files.firstIndex(where: { $0.part == part }) {
            files[index].paths.append(path)
        } else {
            files.append(File(part: part, paths: [path]))
        }
    }

    /// Returns the parts in the order of the specification, so that the service can start before it has all files.
    func parts() throws -> [MultipartBody.Part] {
        let encoder = JSONEncoder.errand
        let map = try RawJSON.object(
            files.enumerated().map { (name: "\($0.offset)", value: try encoder.encode($0.element.paths)) })
        let fields: [MultipartBody.Part] = [
            .field(String(decoding: try RawJSON.object(members), as: UTF8.self), name: "operations"),
            .field(String(decoding: map, as: UTF8.self), name: "map"),
        ]
        return fields
            + files.enumerated().map { index, file in
                MultipartBody.Part(
                    name: "\(index)", fileName: file.part.fileName, contentType: file.part.contentType,
                    headers: file.part.headers, content: file.part.content)
            }
    }
}
