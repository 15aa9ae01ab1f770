import Errand

/// The `multipart` operation of the driver's protocol.
struct MultipartOperation {
    private let fields: OrderedJSON

    init(_ fields: OrderedJSON) {
        self.fields = fields
    }

    func answer() throws(ServiceError) -> Operation.Answer {
        let modes: [String: MultipartBody.Mode] = ["data": .data, "form": .form]
        guard let mode = modes[fields["mode"]?.string ?? "data"], let url = URL(string: "http://localhost/") else {
            return Operation.unsupported
        }
        var parts: [MultipartBody.Part] = []
        for part in fields["parts"]?.elements ?? [] { parts.append(try Self.part(part)) }
        var head = URLRequest(url: url)
        head.httpMethod = "POST"
        let body = MultipartBody(parts, mode: mode, boundary: fields["boundary"]?.string)
        let request = APIRequest(head: head, body: .multipart(body))
        try request.checkSendable()
        return [
            ("contentType", request.headers["Content-Type"].map { .string($0) } ?? .null),
            ("bodyBase64", request.body.data.map { .string($0.base64EncodedString()) } ?? .null),
        ]
    }

    private static func part(_ fields: OrderedJSON) throws(ServiceError) -> MultipartBody.Part {
        guard let data = Data(base64Encoded: fields["valueBase64"]?.string ?? "") else {
            throw ServiceError(.encoding, "invalid valueBase64: expected base64")
        }
        let (fileName, text) = (fields["filename"]?.string, String(decoding: data, as: UTF8.self))
        let isText = fileName == nil && Data(text.utf8) == data
        return MultipartBody.Part(
            name: fields["name"]?.string ?? "", fileName: fileName, contentType: fields["contentType"]?.string,
            content: isText ? .text(text) : .data(data))
    }
}
