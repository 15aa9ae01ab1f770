package import Errand

/// The filter and the page number of a list request.
package struct CharactersListVariables: Encodable, Sendable, Equatable {
    package struct Filter: Encodable, Sendable, Equatable {
        package var name: String?
        package var gender: String?
        package var species: String?
        package var status: String?
        package var type: String?

        package init(
            name: String? = nil, gender: String? = nil, species: String? = nil, status: String? = nil,
            type: String? = nil
        ) {
            (self.name, self.gender, self.species, self.status, self.type) = (name, gender, species, status, type)
        }
    }

    package var filter: Filter
    package var page: Int?

    package init(filter: Filter = Filter(), page: Int? = nil) {
        self.filter = filter
        self.page = page
    }
}

/// The data of the response. The service uses snake case, such as `air_date`.
package struct CharactersQueryResponse: Decodable, Sendable, Equatable {
    package struct QueryChars: Decodable, Sendable, Equatable {
        package let info: Info
        package let results: [Character]
    }

    package struct Info: Decodable, Sendable, Equatable {
        package let count: Int
        package let next: Int?
    }

    package struct Character: Decodable, Sendable, Equatable {
        @StringID package var id: String
        package let name: String
        package let status: OpenEnum<Status>?
        package let species: String?
        package let image: String?
        package let episode: [Episode]
    }

    package enum Status: String, Sendable { case alive = "Alive", dead = "Dead", unknown }

    package struct Episode: Decodable, Sendable, Equatable {
        package let airDate: String?
    }

    package let characters: QueryChars
}
