import Errand
import Foundation

// Sends one request, for Benchmarks/start.py.
guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: one-request URL")
    exit(64)
}
do {
    let response = try await platformSession().send(APIRequest(URLRequest(url: url)))
    print(response.head.status)
} catch {
    print(error)
    exit(1)
}

func platformSession() -> any APISession {
    #if os(Linux)
        CurlSession()
    #else
        URLSession(configuration: .ephemeral)
    #endif
}
