import Errand

func traced(_ session: some APISession) -> any APISession {
    session.intercepted(by: TraceContextInterceptor(isSampled: true))
}

func photos(
    continuing headers: HeaderFields, with loader: APILoader<GalleryAPI>
) async throws -> [Photo] {
    let incoming = TraceContext(traceparent: headers["traceparent"], tracestate: headers.combined("tracestate"))
    return try await TraceContext.$current.withValue(incoming) { try await loader.load(GalleryQuery()) }
}
