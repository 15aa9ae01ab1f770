package import ErrandLoopback
import Foundation

/// A server with one account, and one draw without prizes.
package enum LotteryServer {
    package static func reply(to request: LoopbackRequest) -> LoopbackReply {
        switch (request.method, request.path) {
        case ("POST", "/login"):
            guard String(decoding: request.body, as: UTF8.self).contains("password=secret") else {
                return .json(#"{"code":17,"message":"Name or password is wrong"}"#)
            }
            return .json(#"{"id":4711,"name":"Eva"}"#)
        case ("GET", "/draws/latest"):
            let draw = #""draw":{"id":2026047,"name":"Saturday"},"drawingDate":"2026-11-21T19:25:00Z""#
            return .json("{\(draw),\"numbers\":[4,8,15,16,23]}")
        default: return .status(404)
        }
    }
}
