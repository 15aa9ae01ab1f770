import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONArrayTests {
    private func loader(_ reply: CannedReply) -> APILoader<EventAPI> {
        APILoader(EventAPI(), session: ScriptedSession(answering: { _ in reply }), time: InstantClock())
    }

    private func texts(_ text: String, chunk: Int, limit: Int = 1_000) throws -> [String] {
        var splitter = JSONArraySplitter(limit: limit)
        var texts: [String] = []
        let bytes = Data(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            splitter.add(bytes.dropFirst(start).prefix(chunk))
            while let element = try splitter.next() {
                texts.append(String(decoding: element.bytes, as: UTF8.self))
                #expect(element.number == texts.count)
            }
        }
        #expect(try splitter.last() == nil)
        return texts
    }

    @Test(arguments: [
        ("[]", []), (" [ ] \n", []), ("[1]", ["1"]), ("\u{FEFF}[1,2]", ["1", "2"]),
        ("[\n1 ,\t2\r\n]", ["1 ", "2\r\n"]),
        (#"["a,]","\"]",[1,[2]],{"a":[],"b":"}"}]"#, [#""a,]""#, #""\"]""#, "[1,[2]]", #"{"a":[],"b":"}"}"#]),
        (#"["\\",null,"é€😀"]"#, [#""\\""#, "null", #""é€😀""#]),
    ])
    func `elements do not depend on chunk boundaries`(text: String, expected: [String]) throws {
        for size in 1...max(1, text.utf8.count) {
            #expect(try texts(text, chunk: size) == expected, "chunks of \(size) bytes")
        }
    }

    @Test(arguments: [
        ("", "expected an array, found the end of the body"), ("{}", #"expected an array, found "{" at offset 0"#),
        ("\u{FEFE}[]", "expected an array, found byte 239 at offset 0"),
        ("[", "expected the end of the array, found the end of the body after 0 elements"),
        ("[1", "expected the end of the array, found the end of the body after 0 elements"),
        ("[1,", "expected the end of the array, found the end of the body after 1 elements"),
        (#"["a]"#, "expected the end of the array, found the end of the body after 0 elements"),
        ("[1,]", #"expected element 2, found "]" at offset 3"#),
        ("[,1]", #"expected element 1, found "," at offset 1"#),
        ("[1}", #"expected a comma or the end of the array, found "}" at offset 2"#),
        ("[1] 2", #"expected nothing after the array, found "2" at offset 4"#),
        ("[[1]]]", #"expected nothing after the array, found "]" at offset 5"#),
    ])
    func `a body that is not an array is an error`(text: String, reason: String) throws {
        for size in 1...max(1, text.utf8.count) {
            let error = #expect(throws: ServiceError.self) { try texts(text, chunk: size) }
            #expect(error?.code == .decoding)
            #expect(error?.reason == "the body cannot be split into elements: \(reason)", "chunks of \(size) bytes")
        }
    }

    @Test func `an element beyond the limit is an error`() throws {
        #expect(try texts("[[1],[10]]", chunk: 4, limit: 4) == ["[1]", "[10]"])
        for chunk in [1, 100] {
            for text in ["[[1],[100]]", "[[1],[1000"] {
                #expect(throws: ServiceError.self) { try texts(text, chunk: chunk, limit: 4) }
            }
        }
    }

    @Test func `elements are returned before the body is complete`() async throws {
        let reply = CannedReply.data(Data(#"[{"n":1},{"n":2},{"n":"#.utf8)).stallingBody(after: 18)
        let loader = APILoader(EventAPI(), session: ScriptedSession([reply]), time: ManualClock())
        let (notes, note) = AsyncStream<Int>.makeStream()
        let task = Task {
            for try await element in loader.elements(as: Note.self) { note.yield(element.n) }
        }
        var found = notes.makeAsyncIterator()
        #expect(await found.next() == 1)
        #expect(await found.next() == 2)
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `an element that cannot be decoded names its position, or is skipped`() async throws {
        let loader = loader(.data(Data(#"[{"n":1},{"n":"x"},{"n":3}]"#.utf8)))
        var iterator = loader.elements(as: Note.self).makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.reason.hasPrefix("element 2 cannot be decoded: ") == true, "\(error?.reason ?? "")")
        #expect(error?.body == Data(#"{"n":"x"}"#.utf8))
        let skipping = loader.elements(as: Note.self, skipsUndecodable: true)
        var found: [Int] = []
        for try await note in skipping { found.append(note.n) }
        #expect(found == [1, 3] && skipping.skippedCount == 1)
    }

    @Test func `a truncated array is an error after its elements, even if values are skipped`() async throws {
        var iterator = loader(.data(Data(#"[{"n":1},{"n":2"#.utf8))).elements(as: Note.self, skipsUndecodable: true)
            .makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .decoding)
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: TestEnvironment.sample(["\"\\\"\",", "1,", "[", "{", "\"", "\\", " ", "\u{1}", "[],"]))
    func `splitting takes time linear in the size`(unit: String) async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            var splitter = JSONArraySplitter(limit: 1 << 20)
            splitter.add(Data("[1,".utf8))
            for byte in text.utf8.dropFirst() {
                splitter.add(Data([byte]))
                do { while try splitter.next() != nil {} } catch { break }
            }
        }
        #expect(growth < 64)
    }
}
