import Errand
import Foundation
import TestSupport

extension ErrorRow {
    private struct Filter: Encodable, Sendable {
        var encoding: @Sendable (any Encoder) throws -> Void

        init(_ encoding: @escaping @Sendable (any Encoder) throws -> Void) { self.encoding = encoding }

        func encode(to encoder: any Encoder) throws { try encoding(encoder) }
    }

    private struct Opaque: Sendable {}

    private static func items(_ value: any Encodable & Sendable) throws -> QueryItems {
        try QueryEncoding.standard.items(from: ["filter": value])
    }

    static let queries: [ErrorRow] = [
        ErrorRow(
            .encoding, "A value has more than 64 nested containers.", "Flatten the value.",
            shown: "query value at filter[0][0][0]…: nested deeper than 64 levels"
        ) {
            try items(
                Filter { encoder in
                    var container = encoder.unkeyedContainer()
                    for _ in 1...65 { container = container.nestedUnkeyedContainer() }
                    try container.encode(1)
                })
        },
        ErrorRow(.encoding, "A number is infinite or not a number.", "Pass a finite number.") {
            try items(Double.infinity)
        },
        ErrorRow(.encoding, "A date cannot be written in ISO 8601.", "Pass another date.") {
            try items(Date(timeIntervalSince1970: 1e12))
        },
        ErrorRow(.encoding, "`encode(to:)` uses two kinds of container.", "Use one container.") {
            try items(
                Filter { encoder in
                    _ = encoder.unkeyedContainer()
                    _ = encoder.container(keyedBy: Name.self)
                })
        },
        ErrorRow(.encoding, "`encode(to:)` encodes two single values.", "Encode one value.") {
            try items(
                Filter { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encode(2)
                })
        },
        ErrorRow(.encoding, "The value has no names for its query items.", "Pass a struct or a dictionary.") {
            try QueryEncoding.standard.items(from: [1, 2])
        },
        ErrorRow(.encoding, "The type of a value in a dictionary is not `Encodable`.", "Make it `Encodable`.") {
            try QueryEncoding.standard.items(from: ["filter": Opaque()])
        },
        ErrorRow(.encoding, "The `encode(to:)` of a value threw another error.", "Correct the value.") {
            try items(Filter { _ in throw ErrorScene.Broken() })
        },
    ]

    private enum Name: CodingKey { case a }
}
