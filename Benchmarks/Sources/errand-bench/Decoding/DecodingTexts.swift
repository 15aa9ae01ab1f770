import Foundation

/// JSON texts of about the same size, the same in every run.
struct DecodingTexts {
    struct Small: Decodable {
        let id: Int
        let name: String
        let active: Bool
        let score: Double
    }

    struct Point: Decodable { let x: Double, y: Double, z: Double }

    struct Label: Decodable {
        let id: Int
        let name: String
        let color: String
    }

    /// Its `CodingKeys` have the names of the text.
    struct Issue: Decodable {
        struct User: Decodable {
            let login: String
            let id: Int
            let url: String
            let isAdministrator: Bool

            private enum CodingKeys: String, CodingKey {
                case login, id, url
                case isAdministrator = "site_admin"
            }
        }

        let id: Int
        let number: Int
        let title: String
        let body: String?
        let user: User
        let labels: [Label]
        let createdAt: Date
        let updatedAt: Date
        let closedAt: Date?
        let comments: Int

        private enum CodingKeys: String, CodingKey {
            case id, number, title, body, user, labels, comments
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case closedAt = "closed_at"
        }
    }

    /// Its names require `convertFromSnakeCase`.
    struct PlainIssue: Decodable {
        struct User: Decodable {
            let login: String
            let id: Int
            let url: String
            let siteAdmin: Bool
        }

        let id: Int
        let number: Int
        let title: String
        let body: String?
        let user: User
        let labels: [Label]
        let createdAt: Date
        let updatedAt: Date
        let closedAt: Date?
        let comments: Int
    }

    /// The minimum size of each text in bytes.
    let bytes: Int

    /// A fraction with 15 to 17 digits.
    static func fraction(_ number: Int) -> Double { Double(number) * 0.618_033_988_749_895 / 7 }

    /// A JSON array of at least ``bytes`` bytes.
    func list(_ element: (Int) -> String) -> Data {
        var text = "["
        var number = 0
        while text.utf8.count < bytes {
            text += number == 0 ? element(number) : "," + element(number)
            number += 1
        }
        return Data((text + "]").utf8)
    }

    var small: Data {
        list { #"{"id":\#($0),"name":"user number \#($0)","active":\#($0 % 2 == 0),"score":\#(Double($0) / 4)}"# }
    }

    var doubles: Data {
        list { #"{"x":\#(Self.fraction($0)),"y":-\#(Self.fraction($0 + 7)),"z":\#(1 / Double($0 + 3))}"# }
    }

    var issues: Data {
        list { number in
            let user =
                #"{"login":"octocat","id":\#(number),"url":"https://api.example.com/users/octocat","site_admin":false}"#
            let labels =
                #"[{"id":1,"name":"bug","color":"f29513"},{"id":2,"name":"help wanted","color":"00ff00"}]"#
            let text = #"A longer text with \"quotes\" and\nseveral lines, as people write it, number \#(number)."#
            return
                #"{"id":\#(number),"number":\#(number),"title":"The title of issue \#(number)","body":"\#(text)","#
                + #""user":\#(user),"labels":\#(labels),"created_at":"2011-04-22T13:33:48Z","#
                + #""updated_at":"2024-05-06T07:08:09Z","closed_at":null,"comments":\#(number % 9)}"#
        }
    }
}
