public import Errand

/// The input of a ``GraphQLMultipartRequest``: variables, and files that are the values of some of them.
///
/// ```swift
/// let upload = GraphQLUpload(["title": "Sea"], files: [.file(picture, name: "picture", contentType: "image/png")])
/// ```
public struct GraphQLUpload<Variables: Encodable & Sendable>: Sendable {
    /// The variables of the operation. Omit those that are files, or set them to `null`.
    public var variables: Variables
    /// The files in the order in which they are sent. The name of each is the path of its variable.
    ///
    /// A path consists of the encoded names, separated by dots: `picture`, `input.picture`, or
    /// `input.pictures.0` for the first element of a list. Add the files of a list in the order of their indices. A file without a
    /// file name is sent with the name `file`. Files that differ only in their paths are sent once.
    public var files: [MultipartBody.Part]

    /// Creates the input of a request with files.
    public init(_ variables: Variables, files: [MultipartBody.Part]) {
        self.variables = variables
        self.files = files
    }
}

extension GraphQLUpload where Variables == NoVariables {
    /// Creates the input of a request in which all variables are files.
    public init(files: [MultipartBody.Part]) {
        self.init(NoVariables(), files: files)
    }
}

extension GraphQLUpload: CustomStringConvertible, CustomReflectable {
    /// The number of files, because variables may be secrets.
    public var description: String { "‹variables and \(files.count) \(files.count == 1 ? "file" : "files")›" }
    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["upload": description], displayStyle: .struct) }
}
