import Errand

/// One of the ways to send a request that are compared.
struct SessionSubject {
    let name: @Sendable (Payload) -> String
    /// Makes what is measured: calls to a target, as many in flight as asked for.
    let calls: @Sendable (_ target: Target, _ name: String, _ inFlight: Int) throws -> Variant

    func variant(_ target: Target, inFlight: Int) throws -> Variant {
        try calls(target, name(target.payload), inFlight)
    }
}

extension SessionSubject {
    /// The loop in C; the answer is received and no more.
    static let floor = SessionSubject { _ in
        "floor"
    } calls: { target, name, inFlight in
        let floor = try Floor(target, inFlight: inFlight) { status, _ in
            guard status == 200 else { throw Failure("\(target.url) was answered with \(status)") }
        }
        return Variant(name: name) { try floor.run($0) }
    }

    /// The loop in C, and each body read on its thread. A listing is decoded where it is; other bytes are copied into a
    /// `Data`, as the loop needs its buffer again.
    static let floorReading = SessionSubject {
        "floor + \($0.use)"
    } calls: { target, name, inFlight in
        let floor = try Floor(target, inFlight: inFlight) { status, bytes in
            guard target.payload == .listing, let start = bytes.baseAddress else {
                return try target.read(Data(bytes), status: status)
            }
            let listing = UnsafeMutableRawPointer(mutating: start)
            let body = Data(bytesNoCopy: listing, count: bytes.count, deallocator: .none)
            try target.read(body, status: status)
        }
        return Variant(name: name) { try floor.run($0) }
    }

    /// The reading alone, in as many tasks as there would be requests: no session can spare it, and it costs more where
    /// two cores do it at once.
    static let reading = SessionSubject {
        "\($0.use) alone"
    } calls: { target, name, inFlight in
        let body = target.payload == .listing ? Data(Listing.json.utf8) : Data(count: target.payload.bytes)
        return Variant(name, inFlight: inFlight) {
            try body.withUnsafeBytes { try target.read(Data($0), status: 200) }
        }
    }

    /// `data(for:)` of a session, and the body read by hand.
    static func plain(_ name: String, _ session: URLSession) -> SessionSubject {
        SessionSubject { _ in
            name
        } calls: { target, name, inFlight in
            Variant(name, inFlight: inFlight) {
                let (body, response) = try await session.data(for: target.request)
                try target.read(body, status: (response as? HTTPURLResponse)?.statusCode ?? 0)
            }
        }
    }

    /// `send(_:)` of a session of this library, and the body read by hand.
    static func session(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            name
        } calls: { target, name, inFlight in
            Variant(name, inFlight: inFlight) {
                let response = try await session.send(APIRequest(target.request))
                try await target.read(response.body.collect(), status: response.head.status)
            }
        }
    }

    /// A loader over a session.
    static func loader(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            "\(name), APILoader"
        } calls: { target, name, inFlight in
            let loader = APILoader(TargetAPI(target: target), session: session)
            return Variant(name, inFlight: inFlight) { try await target.check(loader.load()) }
        }
    }

    /// The same with a handler that asks for the platform's form of the head.
    static func platformLoader(_ name: String, _ session: any APISession) -> SessionSubject {
        SessionSubject { _ in
            "\(name), APILoader, HTTPURLResponse"
        } calls: { target, name, inFlight in
            let loader = APILoader(PlatformTargetAPI(api: TargetAPI(target: target)), session: session)
            return Variant(name, inFlight: inFlight) { try await target.check(loader.load()) }
        }
    }
}

/// A target's call for a loader; it gives the number of objects or bytes.
private struct TargetAPI: APIHandler {
    let target: Target

    func makeRequest(from input: Void) -> URLRequest { target.request }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
        guard target.payload == .listing else { return data.count }
        let photos: [Listing.Photo] = try defaultParseResponse(data: data, response: response)
        return photos.count
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Int {
        guard target.payload == .listing else { return data.count }
        let photos: [Listing.Photo] = try defaultParseResponse(data: data, head: head)
        return photos.count
    }
}

/// The same, in the form that most handlers have.
private struct PlatformTargetAPI: APIHandler {
    let api: TargetAPI

    func makeRequest(from input: Void) -> URLRequest { api.target.request }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int {
        try api.parseResponse(data: data, response: response)
    }
}
