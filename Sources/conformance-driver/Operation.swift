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
            case "retry-plan": return try RetryPlan(fields).answer()
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
        guard let session = options.session, isFetchSupported else { return Self.unsupported }
        let answer = try await APILoader(FetchCall(), session: session).response(fields)
        return [
            ("status", .number("\(answer.head.status)")),
            ("statusText", .string(answer.head.reason)),
            ("headers", .array(answer.head.fields.map { .array([.string($0.name), .string($0.value)]) })),
            ("body", .string(String(decoding: answer.value, as: UTF8.self))),
            ("trail", .array(answer.trail.events.map { .string("\($0.source): \($0.message)") })),
        ]
    }

    /// There is no cache yet.
    private var isFetchSupported: Bool {
        fields["redirect"].map { RedirectPolicy.Mode(rawValue: $0.string ?? "") != nil } != false
            && ["default", "no-store", "reload", "no-cache", nil].contains(fields["cache"]?.string)
    }
}

extension OrderedJSON {
    var templateValue: TemplateValue {
        switch self {
        case .null: .undefined
        case .bool(let value): .string("\(value)")
        case .number(let text), .string(let text): .string(text)
        case .array(let elements): .list(elements.compactMap(\.scalarText))
        case .object(let members): .pairs(members.compactMap { key, value in value.scalarText.map { .init(key, $0) } })
        }
    }

    /// A member's text; one that is undefined is ignored (RFC 6570, section 2.3).
    private var scalarText: String? {
        switch self {
        case .number(let text), .string(let text): text
        case .bool(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }
}
