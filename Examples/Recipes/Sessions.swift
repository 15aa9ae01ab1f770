import Errand

/// Uses the transport that a setting names. The default is the transport of the platform.
func galleryLoader(over name: String?) throws -> APILoader<GalleryAPI> {
    let transport = name.flatMap(Transport.init(rawValue:)) ?? .platform
    let session = try transport.makeSession(connectionsPerOrigin: 8)
    return APILoader(GalleryAPI(environment: .production), session: session)
}

func ownURLSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Client": "gallery"]
    configuration.timeoutIntervalForRequest = 15
    return URLSession(configuration: configuration)
}

func client(of environment: some APIEnvironment) -> APIClient {
    APIClient(environment: environment, session: ownURLSession())  // a URLSession is an APISession
}
