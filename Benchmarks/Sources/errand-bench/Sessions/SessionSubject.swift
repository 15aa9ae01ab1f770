import Errand

/// A method of sending requests, which the benchmark compares with others.
struct SessionSubject {
    let name: @Sendable (Target) -> String
    /// Creates a variant that sends requests to a target, with a number of requests in flight.
    let calls: @Sendable (_ target: Target, _ name: String, _ inFlight: Int) throws -> Variant

    func variant(_ target: Target, inFlight: Int) throws -> Variant {
        try calls(target, name(target), inFlight)
    }
}

extension SessionSubject {
    /// The loop in C, which only receives each response.
    static let floor = SessionSubject { _ in
        "floor"
    } calls: { target, name, inFlight in
        let floor = try Floor(target, inFlight: inFlight) { status, _ in
            guard status == 200 else { throw Failure("\(target.url): expected status 200, found \(status)") }
        }
        return Variant(name: name) { try floor.run($0) }
    }

    /// The loop in C, which also processes each body on its thread. A listing is decoded without a copy, with the
    /// decoder that loaders use. Other bytes are copied into a `Data`, because the loop reuses its buffer.
    static let floorReading = SessionSubject {
        "floor + \($0.use)"
    } calls: { target, name, inFlight in
        let floor = try Floor(target, inFlight: inFlight) { status, bytes in
            guard target.decodes, let start = bytes.baseAddress else {
                return try target.readFast(Data(bytes), status: status)
            }
            let listing = UnsafeMutableRawPointer(mutating: start)
            let body = Data(bytesNoCopy: listing, count: bytes.count, deallocator: .none)
            try target.readFast(body, status: status)
        }
        return Variant(name: name) { try floor.run($0) }
    }

    /// The processing of the body without a network, in one task for each request in flight. Every session needs this
    /// time. It is longer if two cores process bodies concurrently.
    static let reading = SessionSubject {
        "\($0.use) alone"
    } calls: { target, name, inFlight in
        let body = target.payload == .listing ? Data(Listing.json.utf8) : Data(count: target.payload.bytes)
        return Variant(name, inFlight: inFlight) { _ in
            try body.withUnsafeBytes { try target.readFast(Data($0), status: 200) }
        }
    }

    /// `data(for:)` of a `URLSession`. The caller processes the body.
    static func plain(_ name: String, _ session: URLSession) -> SessionSubject {
        SessionSubject { _ in
            name
        } calls: { target, name, inFlight in
            Variant(name, inFlight: inFlight) { lane in
                let (body, response) = try await session.data(for: target.request(lane))
                try target.read(body, status: (response as? HTTPURLResponse)?.statusCode ?? 0)
            }
        }
    }

    /// `send(_:)` of an `APISession`. The caller processes the body.
    static func session(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            name
        } calls: { target, name, inFlight in
            Variant(name, inFlight: inFlight) { lane in
                let response = try await session.send(APIRequest(target.request(lane)))
                try await target.readFast(response.body.collect(), status: response.head.status)
            }
        }
    }

    /// A loader over a session.
    static func loader(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            "\(name), APILoader"
        } calls: { target, name, inFlight in
            let loader = APILoader(TargetAPI(target: target), session: session)
            return Variant(name, inFlight: inFlight) { try await target.check(loader.load($0)) }
        }
    }

    /// The same with a handler that requires an `HTTPURLResponse`.
    static func platformLoader(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            "\(name), APILoader, HTTPURLResponse"
        } calls: { target, name, inFlight in
            let loader = APILoader(PlatformTargetAPI(api: TargetAPI(target: target)), session: session)
            return Variant(name, inFlight: inFlight) { try await target.check(loader.load($0)) }
        }
    }
}

/// The handler of a target. It returns the number of objects or bytes.
private struct TargetAPI: APIHandler {
    let target: Target

    func makeRequest(from lane: Int) -> URLRequest { target.request(lane) }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
        guard target.decodes else { return data.count }
        let photos: [Listing.Photo] = try defaultParseResponse(data: data, response: response)
        return photos.count
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Int {
        guard target.decodes else { return data.count }
        let photos: [Listing.Photo] = try defaultParseResponse(data: data, head: head)
        return photos.count
    }
}

/// The same handler in the older form, with `HTTPURLResponse`.
private struct PlatformTargetAPI: APIHandler {
    let api: TargetAPI

    func makeRequest(from lane: Int) -> URLRequest { api.target.request(lane) }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
        try api.parseResponse(data: data, response: response)
    }
}
