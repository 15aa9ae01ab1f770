import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

/// The data of a person with deferred and streamed parts.
struct PersonPage: Decodable, Sendable, Equatable {
    struct Film: Decodable, Sendable, Equatable {
        let title: String
        var year: Int?
    }
    struct World: Decodable, Sendable, Equatable {
        var name: String?
        var climate: String?
    }
    struct Person: Decodable, Sendable, Equatable {
        var name: String?
        var home: World?
        var films: [Film]?
    }
    var person: Person?
}

/// Operations with incremental delivery and their responses.
enum SnapshotScene {
    static let document =
        "query P($id: ID!) { person(id: $id) { ... @defer(label: \"name\") { name } films @stream { title } } }"
    static let type = #"multipart/mixed; boundary="-""#

    static func request(_ text: String = "{ person { name } }") throws -> GraphQLRequest<NoVariables, PersonPage> {
        GraphQLRequest(try QueryDocument(text), at: try #require(URL(string: "https://films.test/graphql")))
    }

    static func loader(
        _ session: some APISession, _ time: some TimeSource = InstantClock(), options: RequestOptions = RequestOptions()
    ) throws -> APILoader<GraphQLRequest<NoVariables, PersonPage>> {
        var request = try request()
        request.options = options
        return APILoader(request, session: session, time: time, random: FixedRandom(fraction: 0))
    }

    /// A body with the format of the RFC.
    static func body(_ payloads: [String], boundary: String = "-", isClosed: Bool = true) -> String {
        let parts = payloads.map { "\r\n--\(boundary)\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)" }
        return parts.joined() + (isClosed ? "\r\n--\(boundary)--\r\n" : "\r\n--\(boundary)")
    }

    static func reply(_ payloads: [String], type: String = type, isClosed: Bool = true) -> CannedReply {
        .data(Data(body(payloads, isClosed: isClosed).utf8), type: type)
    }

    /// Returns all snapshots of a response.
    static func snapshots(_ reply: CannedReply) async throws -> [GraphQLSnapshot<PersonPage>] {
        try await loader(ScriptedSession([reply])).snapshots().all()
    }

    /// Returns the error of a response, and the number of snapshots before it.
    static func failure(_ reply: CannedReply, limit: Int = 16 << 20) async throws -> (ServiceError, Int) {
        var iterator = try loader(ScriptedSession([reply])).snapshots(limit: limit).makeAsyncIterator()
        var count = 0
        let error = await #expect(throws: ServiceError.self) {
            while try await iterator.next() != nil { count += 1 }
        }
        #expect(try await iterator.next() == nil, "the error is thrown once")
        return (try #require(error), count)
    }
}

extension GraphQLSnapshots {
    /// Returns all snapshots.
    func all() async throws(ServiceError) -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
