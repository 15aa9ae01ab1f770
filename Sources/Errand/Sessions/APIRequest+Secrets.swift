extension RequestSecrets {
    init(_ request: APIRequest) {
        let (body, parts): (Data?, [Part]) =
            switch request.body {
            case .data(let data): (data, [])
            case .multipart(let body): (nil, body.parts.compactMap(Part.init))
            case .none, .file, .stream: (nil, [])
            }
        self.init(request.base, late: request.late, body: body, parts: parts, hiding: request.options.redaction)
    }
}

extension RequestSecrets.Part {
    /// Returns `nil` for a part that is not in memory.
    fileprivate init?(_ part: MultipartBody.Part) {
        switch part.content {
        case .text(let text): self.init(name: part.name, content: Data(text.utf8))
        case .data(let data): self.init(name: part.name, content: data)
        case .file, .stream: return nil
        }
    }
}

extension CarriedSecrets {
    /// Adds the secrets of a request.
    package func note(_ request: APIRequest) { note(RequestSecrets(request)) }
}

extension APIRequest {
    /// The recorder of the secrets of this request's API call.
    package var secrets: CarriedSecrets {
        if let known = options.trail?.secrets { return known }
        let own = CarriedSecrets()
        own.note(self)
        return own
    }
}
