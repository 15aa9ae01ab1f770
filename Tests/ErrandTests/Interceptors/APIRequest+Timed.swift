import Errand
import Foundation
import Testing

extension APIRequest {
    /// A GET request with a clock and a recorder of its trail.
    static func timed(
        _ text: String = "http://api.test/a", on clock: some TimeSource,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: text))), body: .none)
        request.options.time = clock
        request.options.trail = Trail.Recorder(on: clock)
        configure(&request.options)
        return request
    }
}
