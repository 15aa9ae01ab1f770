import Errand
import ErrandSupport

/// Any JSON value. Its type is detected by attempts to decode it.
enum AnyValue: Decodable, Equatable, Sendable {
    case null, truth(Bool), number(Decimal), real(Double), text(String), list([AnyValue]), object([String: AnyValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Decimal.self) {
            self = .number(number)
        } else if let real = try? container.decode(Double.self) {
            self = .real(real)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([AnyValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: AnyValue].self))
        }
    }
}

/// A recursive type with the first form that can be decoded.
indirect enum Untagged: Decodable, Equatable, Sendable {
    case price(Decimal), left(Untagged), right(Untagged)

    private enum Keys: String, CodingKey { case price, next }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        if let price = try? container.decode(Decimal.self, forKey: .price) {
            self = .price(price)
        } else if let next = try? container.decode(Untagged.self, forKey: .next) {
            self = .left(next)
        } else {
            self = .right(try container.decode(Untagged.self, forKey: .next))
        }
    }
}

/// A superclass that is decoded from `super`, or from the same object.
class Base: Decodable {
    let id: Int?

    private enum Keys: String, CodingKey { case id }

    required init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Keys.self).decodeIfPresent(Int.self, forKey: .id)
    }
}

final class Derived: Base, Equatable {
    let name: String?

    private enum Keys: String, CodingKey { case name, text }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        try super.init(from: container.contains(.name) ? container.superDecoder() : decoder)
    }

    static func == (one: Derived, other: Derived) -> Bool { one.id == other.id && one.name == other.name }
}

/// Reads its key from the coding path, as types in a dictionary do.
struct Named: Decodable, Equatable, Sendable {
    let key: String
    let index: String

    init(from decoder: any Decoder) throws {
        key = decoder.codingPath.last?.stringValue ?? ""
        index = decoder.codingPath.map(\.stringValue).joined(separator: "/")
    }
}

/// Stores its decoder, to decode with it later.
struct Keeper: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws { self.decoder = decoder }
}

/// The result of decoding each member as a number: the number, or the case and path of the error.
struct Asked: Decodable, Equatable, Sendable {
    let results: [String]

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        results = ["a", "b", "c"].compactMap(Key.init).map { key in
            do {
                return "\(try container.decode(Int.self, forKey: key))"
            } catch let DecodingError.typeMismatch(_, context) {
                return "mismatch \(context.codingPath.map(\.stringValue))"
            } catch let DecodingError.valueNotFound(_, context) {
                return "null \(context.codingPath.map(\.stringValue))"
            } catch let DecodingError.keyNotFound(key, context) {
                return "missing \(key.stringValue) \(context.codingPath.map(\.stringValue))"
            } catch let DecodingError.dataCorrupted(context) {
                return "corrupt \(context.codingPath.map(\.stringValue))"
            } catch {
                return "foreign"
            }
        }
        Self.last.withLock { [results] in $0 = results }
    }

    /// The results of the last instance, because decoding that met an error on the fast path returns no instance.
    static let last = Locked<[String]>([])
}

/// The members of an object, each requested by its key.
struct MembersByKey: Decodable, Equatable {
    let values: [String: Int]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Asked.Key.self)
        // The last value, so that a key that is returned twice changes the result.
        values = try Dictionary(
            container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) },
            uniquingKeysWith: { _, last in last })
    }
}
