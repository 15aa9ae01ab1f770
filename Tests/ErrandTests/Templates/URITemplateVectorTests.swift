import Errand
import Testing

/// The cases of the RFC, as published by the authors of the common test suite; objects lose their order on the way, so
/// that several results may be right.
@Suite(.enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS names no folder"))
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
    func `each published template expands as it says`(row: Row) throws {
        #expect(row.allowed.contains(try URITemplate(row.template).expand(row.variables)))
    }

    @Test func `all the published cases were found`() {
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
