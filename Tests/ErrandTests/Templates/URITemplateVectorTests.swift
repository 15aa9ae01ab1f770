import Errand
import Testing

/// The examples of RFC 6570, as published by the authors of the common test suite. Objects lose their order when they
/// are decoded, so several results can be valid.
@Suite(.enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS is not set"))
struct URITemplateVectorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let template: String
        let variables: [String: URITemplate.Value]
        let allowed: [String]
        var testDescription: String { "\(section): \(template)" }
    }

    static let rows = ["spec-examples.json", "spec-examples-by-section.json"].flatMap { file in
        ConfigurationVectors.json("uritemplate/\(file)").flatMap(rows)
    }

    @Test(arguments: rows)
    func `each published template expands as expected`(row: Row) throws {
        #expect(row.allowed.contains(try URITemplate(row.template).expand(row.variables)))
    }

    @Test func `all published examples are loaded`() {
        #expect(Self.rows.count == 181)
    }

    private static func rows(section: String, content: Any) -> [Row] {
        guard let content = content as? [String: Any], let cases = content["testcases"] as? [[Any]] else { return [] }
        let variables = (content["variables"] as? [String: Any] ?? [:]).mapValues(value)
        return cases.compactMap { entry in
            guard entry.count == 2, let template = entry[0] as? String else { return nil }
            let allowed = entry[1] as? [String] ?? [entry[1] as? String].compactMap(\.self)
            return Row(section: section, template: template, variables: variables, allowed: allowed)
        }
    }

    private static func value(_ json: Any) -> URITemplate.Value {
        switch json {
        case let text as String: .string(text)
        case let list as [String]: .list(list)
        case let object as [String: String]: .pairs(object.map { URITemplate.Value.Pair($0.key, $0.value) })
        case let number as NSNumber: .string(number.stringValue)
        default: .undefined
        }
    }
}
