import Errand
import ErrandGraphQL
import TestSupport
import Testing

@Suite struct IntrospectionTests {
    private let result = #"""
        {"__schema": {"queryType": {"name": "Query"}, "mutationType": null, "types": [
          {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
            {"name": "hero", "isDeprecated": false, "type": {"kind": "OBJECT", "name": "Hero", "ofType": null}, "args": [
              {"name": "id", "type": {"kind": "NON_NULL", "name": null, "ofType": {"kind": "SCALAR", "name": "ID"}}},
              {"name": "kind", "defaultValue": null, "type": {"kind": "ENUM", "name": "Kind"}},
              {"name": "near", "type": {"kind": "INPUT_OBJECT", "name": "Place"}}]}]},
          {"kind": "OBJECT", "name": "Hero", "fields": [
            {"name": "names", "args": [], "type": {"kind": "LIST", "ofType": {"kind": "NON_NULL", "ofType":
              {"kind": "SCALAR", "name": "String"}}}}]},
          {"kind": "ENUM", "name": "Kind", "enumValues": [{"name": "A"}, {"name": "B"}]},
          {"kind": "INPUT_OBJECT", "name": "Place", "inputFields": [
            {"name": "x", "defaultValue": "1", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}},
            {"name": "y", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}}]}],
          "directives": [{"name": "fast", "args": []}]}}
        """#

    @Test(arguments: [
        ("{ hero(id: 1, kind: A, near: {y: 2}) { names } }", nil),
        ("{ hero(id: 1) @fast { names @skip(if: true) } }", nil),
        ("query Q($p: Place) { hero(id: 1, near: $p) { names } }", nil),
        ("{ hero { names } }", "line 1, column 3: the field “hero” requires the argument “id”"),
        ("{ hero(id: 1, kind: C) { names } }", "line 1, column 21: the enum “Kind” has no value “C”"),
        ("{ hero(id: 1, near: {x: 2}) { names } }", "line 1, column 21: the input “Place” requires the field “y”"),
        ("{ hero(id: 1) { name } }", "line 1, column 17: unknown field “name” on type “Hero”"),
        ("{ hero(id: 1) @slow { names } }", "line 1, column 16: unknown directive “@slow”"),
        ("mutation { a }", "line 1, column 1: the schema has no mutation type"),
    ])
    func `an introspection result is decoded with or without a data member`(text: String, problem: String?) throws {
        for body in [result, "{\"data\":\(result)}"] {
            let schema = try GraphQLSchema(introspection: Data(body.utf8))
            #expect(schema.problems(in: try QueryDocument(text)).map(\.description) == [problem].compactMap(\.self))
        }
    }

    @Test(arguments: [
        ("{}", "__schema is missing"), (#"{"data":null}"#, "expected an object at data"), ("[]", "expected an object"),
        ("x", "the body is"),
        (#"{"__schema":{"types":[{"kind":"CLASS","name":"A"}]}}"#, "expected a valid Kind at __schema.types[0].kind"),
        (
            #"{"__schema":{"types":[{"kind":"OBJECT","name":"A","fields":[{"name":"a","args":[],"type":{"kind":"LIST"}}]}]}}"#,
            "__schema.types[0].fields[0].type.ofType"
        ),
    ])
    func `an invalid introspection result is an error with its coding path`(body: String, reason: String) {
        let error = #expect(throws: ServiceError.self) { try GraphQLSchema(introspection: Data(body.utf8)) }
        #expect(error?.code == .configuration)
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `types with too many levels of nesting are an error`() {
        let type = String(repeating: #"{"kind":"LIST","ofType":"#, count: 300) + String(repeating: "}", count: 300)
        let body =
            #"{"__schema":{"types":[{"kind":"OBJECT","name":"A","fields":[{"name":"a","args":[],"type":\#(type)}]}]}}"#
        #expect(throws: ServiceError.self) { try GraphQLSchema(introspection: Data(body.utf8)) }
    }

    @Test func `the file extension determines the format`() throws {
        let folder = try ScratchFolder()
        let document = try QueryDocument("{ hero(id: 1) { names } }")
        let json = try folder.file(Data(result.utf8), name: "schema.json")
        let text = "type Query { hero(id: ID): Hero } type Hero { names: [String] }"
        let sdl = try folder.file(Data(text.utf8), name: "schema.graphql")
        for file in [json, sdl] { #expect(try GraphQLSchema(contentsOf: file).problems(in: document).isEmpty) }
        let flawed = try folder.file(Data("type".utf8), name: "flawed.graphql")
        let error = #expect(throws: ServiceError.self) { try GraphQLSchema(contentsOf: flawed) }
        #expect(error?.reason == "flawed.graphql, line 1, column 5: expected a type, found the end")
    }
}
