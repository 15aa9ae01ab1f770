import Errand

/// One request of the driver's protocol.
struct Operation {
    typealias Answer = [(key: String, value: OrderedJSON)]

    static let unsupported: Answer = [("unsupported", .bool(true))]

    private let fields: OrderedJSON
    private let options: DriverOptions

    init(_ fields: OrderedJSON, _ options: DriverOptions) {
        self.fields = fields
        self.options = options
    }

    func run() async -> Answer {
        let name = fields["op"]?.string ?? (fields["url"] == nil ? "" : "fetch")
        do throws(ServiceError) {
            switch name {
            case "uritemplate": return try expandTemplate()
            case "fetch": return try await fetch()
            default: return Self.unsupported
            }
        } catch {
            return [("error", .string("\(error.code): \(error.reason)"))]
        }
    }

    private func expandTemplate() throws(ServiceError) -> Answer {
        let template = try URITemplate(fields["template"]?.string ?? "")
        let variables = (fields["variables"]?.members ?? []).map {
            ($0.key, $0.value.templateValue as any TemplateVariable)
        }
        return [("result", .string(try template.expand(Dictionary(variables, uniquingKeysWith: { $1 }))))]
    }

    private func fetch() async throws(ServiceError) -> Answer {
        guard options.isSupported, isFetchSupported else { return Self.unsupported }
        do {
            let response = try await PlatformSession.platform.send(request())
            let body = try await response.body.collect()
            return [
                ("status", .number("\(response.head.status)")),
                ("statusText", .string(response.head.reason)),
                ("headers", .array(response.head.fields.map { .array([.string($0.name), .string($0.value)]) })),
                ("body", .string(String(decoding: body, as: UTF8.self))),
            ]
        } catch {
            throw ServiceError(wrapping: error, as: .transport, "the session failed")
        }
    }

    /// Redirects are returned, not followed, and there is no cache yet.
    private var isFetchSupported: Bool {
        ["manual", nil].contains(fields["redirect"]?.string)
            && ["default", "no-store", "reload", "no-cache", nil].contains(fields["cache"]?.string)
    }

    private func request() throws -> APIRequest {
        guard let url = URL(string: fields["url"]?.string ?? "") else {
            throw ServiceError(.encoding, "the url can't be read")
        }
        var head = URLRequest(url: url)
        head.httpMethod = fields["method"]?.string ?? "GET"
        for case .array(let pair) in fields["headers"]?.elements ?? [] where pair.count == 2 {
            head.addValue(pair[1].string ?? "", forHTTPHeaderField: pair[0].string ?? "")
        }
        let body = fields["body"]?.string.map { RequestBody.data(Data($0.utf8)) }
        return APIRequest(head: head, body: body ?? .none)
    }
}

extension OrderedJSON {
    var templateValue: TemplateValue {
        switch self {
        case .null: .undefined
        case .bool(let value): .string("\(value)")
        case .number(let text), .string(let text): .string(text)
        case .array(let elements): .list(elements.map(\.scalarText))
        case .object(let members): .pairs(members.map { .init($0.key, $0.value.scalarText) })
        }
    }

    private var scalarText: String {
        switch self {
        case .number(let text), .string(let text): text
        case .bool(let value): "\(value)"
        case .null, .array, .object: ""
        }
    }
}
