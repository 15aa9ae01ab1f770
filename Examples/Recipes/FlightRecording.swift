import Errand

let recorder = FlightRecorder()  // the last 50 requests, at most 1 MB

func recordedSession(over session: any APISession) -> any APISession {
    session.intercepted(by: RetryInterceptor(), recorder)
}

func report(_ error: ServiceError, to folder: URL) throws(ServiceError) -> URL? {
    guard let archive = error.har else { return nil }
    let file = folder.appending(path: "failure.har")
    try archive.write(to: file)
    return file
}
