import Errand

struct Search: Encodable, Sendable {
    var query = "cats"
    var page = 2
    var tags: [String]?
    var exact: Bool?
}

struct One<Value: Encodable & Sendable>: Encodable, Sendable {
    let a: Value
}

struct Point: Encodable, Sendable {
    let x: Int
    let y: Int?
}

struct Empty: Encodable, Sendable {}

enum Order: String, Encodable, Sendable { case newest, mostViewed = "most viewed" }
enum Level: Int, Encodable, Sendable { case low = 1, high = 9 }
enum Filter: Encodable, Sendable { case all, range(low: Int, high: Int) }

/// An enum with a raw value that is not `Encodable`.
enum PlainOrder: String, Sendable { case oldest }

/// A value of a type that a query cannot hold.
struct Opaque: Sendable { let secret = "hunter2" }

class Animal: Encodable {
    let name = "Rex"
}

/// A subclass that encodes its parent under `super`.
final class Dog: Animal {
    private enum CodingKeys: String, CodingKey { case good }

    override func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(true, forKey: .good)
        try super.encode(to: members.superEncoder())
    }
}

/// A value with an encoding that a closure performs.
struct Custom: Encodable, Sendable {
    enum Key: String, CodingKey { case a, b, c }

    let steps: @Sendable (any Encoder) throws -> Void

    init(_ steps: @escaping @Sendable (any Encoder) throws -> Void) {
        self.steps = steps
    }

    func encode(to encoder: any Encoder) throws {
        try steps(encoder)
    }
}

/// A keyed value that is nested in itself to the given number of levels.
struct Nest: Encodable, Sendable {
    private enum Key: String, CodingKey { case n }

    let levels: Int

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        if levels > 1 {
            try members.encode(Nest(levels: levels - 1), forKey: .n)
        } else {
            try members.encode(1, forKey: .n)
        }
    }

    /// Returns a dictionary that is nested to the given number of levels.
    static func dictionary(levels: Int) -> [String: any Sendable] {
        (1..<levels).reduce(["n": 1]) { inner, _ in ["n": inner] }
    }
}
