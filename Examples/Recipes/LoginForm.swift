import Errand

struct Login: Sendable { let name: String, password: Secret }

struct LoginAPI: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from login: Login) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "login"))
        request.httpMethod = "POST"
        try setFormBody(["name": login.name, "password": login.password.reveal()], on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) {
        defaultParseResponse(data: data, response: response)
    }
}
