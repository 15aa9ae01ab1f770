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
            case "link": return try links()
            case "multipart": return try MultipartOperation(fields).answer()
            case "content-disposition": return fileName()
            case "paginate": return try await paginate()
            case "sse-parse": return try EventParsing(fields).answer()
            case "download": return try await download()
            case "graphql":
                guard let session = options.session else { return Self.unsupported }
                return try await GraphQLOperation(fields).answer(over: session)
            default: return Self.unsupported
            }
        } catch {
            return error.answer
        }
    }

    private func expandTemplate() throws(ServiceError) -> Answer {
        let template = try URITemplate(fields["template"]?.string ?? "")
        let variables = (fields["variables"]?.members ?? []).map {
            ($0.key, $0.value.templateValue as any URITemplate.Variable)
        }
        return [("result", .string(try template.expand(Dictionary(variables, uniquingKeysWith: { $1 }))))]
    }

    private func fetch() async throws(ServiceError) -> Answer {
        guard let session = options.session, isFetchSupported else { return Self.unsupported }
        let answer = try await APILoader(FetchCall(), session: session).response(fields)
        return [
            ("status", .number("\(answer.head.status)")),
            ("statusText", .string(answer.head.reason)),
            ("headers", .array(answer.head.headers.map { .array([.string($0.name), .string($0.value)]) })),
            ("body", .string(String(decoding: answer.value, as: UTF8.self))),
            ("trail", .array(answer.trail.events.map { .string("\($0.source): \($0.message)") })),
        ]
    }

    private func download() async throws(ServiceError) -> Answer {
        guard let session = options.session else { return Self.unsupported }
        guard let path = fields["path"]?.string else {
            throw ServiceError(.configuration, "invalid path: expected the path of a file")
        }
        var settings = DownloadOptions()
        settings.overwrites = true
        settings.resumes = fields["resume"]?.bool ?? true
        if let ranges = try fields.integer("ranges", in: 1...16) { settings.ranges = ranges }
        let loader = APILoader(FetchCall(validatesStatus: true), session: session)
        let file = try await loader.download(fields, to: URL(filePath: path), options: settings).value
        return [
            ("bytes", .number("\(file.size)")), ("resumedFrom", .number("\(file.resumedFrom)")),
            ("path", .string(file.url.path(percentEncoded: false))),
        ]
    }

    /// Returns one result for each relation of a link with a valid target (RFC 8288, section 3.3 and appendix B.2).
    private func links() throws(ServiceError) -> Answer {
        guard let base = URL(string: fields["base"]?.string ?? "") else {
            throw ServiceError(.configuration, "invalid base: expected a URL")
        }
        let links = LinkHeader(fields["value"]?.string ?? "").links.flatMap { link -> [OrderedJSON] in
            guard let target = link.url(relativeTo: base)?.absoluteString else { return [] }
            return link.relations.map { relation in
                .object([
                    ("rel", .string(relation)), ("target", .string(target)),
                    ("anchor", link.anchor.map { .string($0) } ?? .null),
                    ("params", .array(link.parameters.map { .array([.string($0.name), .string($0.value)]) })),
                ])
            }
        }
        return [("links", .array(links))]
    }

    private func fileName() -> Answer {
        let name = ContentDisposition(fields["value"]?.string ?? "").safeFileName
        return [("filename", name.map { .string($0) } ?? .null)]
    }

    private func paginate() async throws(ServiceError) -> Answer {
        guard let session = options.session else { return Self.unsupported }
        var policy = PagingPolicy()
        if let most = try fields.integer("max") { policy.pageLimit = most }
        let pages = APILoader(ListCall(), session: session).pages(from: fields, policy: policy)
        var (addresses, items, stopped): ([OrderedJSON], Int, String) = ([], 0, "end")
        do throws(ServiceError) {
            for try await page in pages {
                addresses.append(.string(page.head.url.absoluteString))
                items += page.items.count
                stopped = page.next == nil ? "end" : "max"
            }
        } catch {
            guard !addresses.isEmpty else { throw error }
            stopped = "\(error.code): \(error.reason)"
        }
        return [("pages", .array(addresses)), ("items", .number("\(items)")), ("stopped", .string(stopped))]
    }

    /// Whether the redirect mode and the cache mode are known. Two cache modes need a cache.
    private var isFetchSupported: Bool {
        let mode = fields["cache"].map { CacheMode(rawValue: $0.string ?? "") } ?? .standard
        let needsCache = mode == .forceCache || mode == .onlyIfCached
        return fields["redirect"].map { RedirectInterceptor.Policy.Mode(rawValue: $0.string ?? "") != nil } != false
            && mode != nil && (options.hasCache || !needsCache)
    }
}

extension ServiceError {
    /// The failure in the driver's protocol.
    var answer: Operation.Answer { [("error", .string("\(code): \(reason)"))] }
}

extension OrderedJSON {
    var templateValue: URITemplate.Value {
        switch self {
        case .null: .undefined
        case .bool(let value): .string("\(value)")
        case .number(let text), .string(let text): .string(text)
        case .array(let elements): .list(elements.compactMap(\.scalarText))
        case .object(let members): .pairs(members.compactMap { key, value in value.scalarText.map { .init(key, $0) } })
        }
    }

    /// The text of a scalar, or `nil` for other values, which are undefined and ignored (RFC 6570, section 2.3).
    private var scalarText: String? {
        switch self {
        case .number(let text), .string(let text): text
        case .bool(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }
}
