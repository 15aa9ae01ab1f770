import Errand
import ErrandGraphQL
import Foundation
import TestSupport
import Testing

/// The time of merging, which the limits of a response do not bound alone.
@Suite(.timeLimit(.minutes(1))) struct IncrementalMergerTests {
    private static let first = #"{"data":{"list":[]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#

    @Test func `merging streamed items takes time linear in their number`() async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: "x") { text in
            var merger = IncrementalMerger()
            try merger.merge(Data(Self.first.utf8))
            for number in 0..<(text.utf8.count / 400) {
                try merger.merge(
                    Data(#"{"incremental":[{"id":"0","items":[\#(number)]}],"hasNext":true}"#.utf8))
            }
        }
        #expect(growth < 64)
    }

    @Test(arguments: TestEnvironment.sample(["\u{301}\u{316}", "{\\\"", "\\u0301"]))
    func `merging takes time linear in the size of a text`(unit: String) async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            var merger = IncrementalMerger()
            let name = #""\#(text)""#
            // The decoder may refuse such names.
            try? merger.merge(
                Data(#"{"data":{\#(name):{"a":1}},"pending":[{"id":\#(name),"path":[\#(name)]}],"hasNext":true}"#.utf8))
            try? merger.merge(
                Data(#"{"incremental":[{"id":\#(name),"data":{\#(name):1}}],"hasNext":true}"#.utf8))
            try? merger.merge(
                Data(#"{"incremental":[{"path":[],"data":{\#(name):{\#(name):2}}}],"hasNext":true}"#.utf8))
            _ = merger.response
        }
        #expect(growth < 64)
    }

    @Test func `members keep their order and their digits`() throws {
        var merger = IncrementalMerger()
        try merger.merge(Data(#"{"data":{"b":1.10,"a":{"é\"\n":12345678901234567890}},"hasNext":true}"#.utf8))
        try merger.merge(Data(#"{"incremental":[{"path":["a"],"data":{"c":0e1}}],"hasNext":false}"#.utf8))
        #expect(
            String(decoding: merger.response, as: UTF8.self)
                == #"{"data":{"b":1.10,"a":{"é\"\u000a":12345678901234567890,"c":0e1}},"hasNext":false}"#)
        #expect(merger.isComplete && merger.count == 2)
    }
}
