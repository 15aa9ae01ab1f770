// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of Alamofire 5.12.0: https://github.com/Alamofire/Alamofire/tree/5.12.0/Source
// Only the declarations that the recipe uses, without parameters that have default values and that it does not use.
// No request is sent: each response has the body of `Session.body`.

public import Foundation

public typealias Parameters = [String: any Any & Sendable]

public struct HTTPMethod: RawRepresentable, Equatable, Hashable, Sendable {
    public static let get = HTTPMethod(rawValue: "GET")
    public static let post = HTTPMethod(rawValue: "POST")

    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

public protocol RequestAdapter: Sendable {}
public protocol RequestRetrier: Sendable {}
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

open class Interceptor: @unchecked Sendable, RequestInterceptor {
    public let adapters: [any RequestAdapter]
    public let retriers: [any RequestRetrier]

    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }
}

open class RetryPolicy: @unchecked Sendable, RequestInterceptor {
    public let retryLimit: UInt

    public init(retryLimit: UInt = 2) {
        self.retryLimit = retryLimit
    }
}

public protocol URLConvertible: Sendable {
    func asURL() throws -> URL
}

extension String: URLConvertible {
    public func asURL() throws -> URL {
        guard let url = URL(string: self) else { throw URLError(.badURL) }
        return url
    }
}

open class Session: @unchecked Sendable {
    /// Not in Alamofire: the body of each response.
    @TaskLocal public static var body = Data()

    public let interceptor: (any RequestInterceptor)?

    public init(interceptor: (any RequestInterceptor)? = nil) {
        self.interceptor = interceptor
    }

    open func request(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil
    ) -> DataRequest {
        DataRequest()
    }
}

public class DataRequest: @unchecked Sendable {
    public func validate() -> Self { self }

    public func serializingDecodable<Value: Decodable>(_ type: Value.Type = Value.self) -> DataTask<Value> {
        DataTask()
    }
}

public struct DataTask<Value>: Sendable where Value: Sendable & Decodable {
    public var value: Value {
        get async throws { try JSONDecoder().decode(Value.self, from: Session.body) }
    }
}
