package import Errand

/// A model that depends on a service value, so that tests can replace the service.
package struct LoginModel: Sendable {
    private let account: AccountService

    package init(_ account: AccountService) { self.account = account }

    package func greeting(_ username: String, _ password: Secret) async -> String {
        do throws(ServiceError) {
            return "Welcome, \(try await account.login(username, password).name)"
        } catch {
            if let refusal = error.serverError as? LotteryError { return refusal.message }
            return error.localizedDescription
        }
    }
}
