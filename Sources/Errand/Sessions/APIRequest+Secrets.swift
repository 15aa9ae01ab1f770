extension RequestSecrets {
    init(_ request: APIRequest) {
        self.init(request.base, late: request.late, body: request.body.data, hiding: request.options.redaction)
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
