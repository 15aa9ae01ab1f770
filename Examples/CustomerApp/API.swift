package import Errand

/// The endpoints of the shop. An endpoint with a scope requires a client of that scope. The others require no account.
package enum API {
    package enum Customer {
        private static let path: APIPath = "customer/profile"

        package static func get<S: CustomerAccess>() -> AuthorizedEndpoint<S, CustomerApp.Customer> {
            Endpoint(path: path).authorized(for: S.self)
        }

        package static func patch<S: CustomerAccess>(
            firstName: String, lastName: String
        ) -> AuthorizedEndpoint<S, CustomerApp.Customer> {
            Endpoint(method: .patch, path: path, parameters: ["firstName": firstName, "lastName": lastName])
                .authorized(for: S.self)
        }

        package static func patch<S: CustomerAccess>(avatarID: String) -> AuthorizedEndpoint<S, CustomerApp.Customer> {
            Endpoint(method: .patch, path: path, parameters: ["avatarID": avatarID]).authorized(for: S.self)
        }
    }

    package enum Offers {
        package static func list<S: CustomerAccess>() -> AuthorizedEndpoint<S, [Offer]> {
            Endpoint(path: "offers").authorized(for: S.self)
        }
    }

    package enum Feedback {
        package static func post<S: GuestAccess>(email: String, message: String) -> AuthorizedEndpoint<S, Void> {
            Endpoint(method: .post, path: "feedback", parameters: ["email": email, "message": message])
                .authorized(for: S.self)
        }
    }

    package enum Images {
        package static func upload<S: CustomerAccess>(
            _ environment: ShopEnvironment
        ) -> AuthorizedHandler<S, UploadImageAPI> {
            UploadImageAPI(environment: environment).authorized(for: S.self)
        }
    }

    package enum Terms {
        package static func get() -> Endpoint<CustomerApp.Terms> { Endpoint(path: "terms") }
    }
}
