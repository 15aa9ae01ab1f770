import Errand
import Foundation
import TestSupport

extension ErrorRow {
    private enum Stage: String, APIEnvironment, CaseIterable {
        case production, staging
        var baseURL: BaseURL { self == .production ? "https://api.example" : "https://staging.example" }
    }

    static let environments: [ErrorRow] =
        hosts + [
            ErrorRow(.configuration, "The scheme is not supported.", "Use an https URL.") {
                try BaseURL(scheme: "ftp", domain: "api.example").validate()
            },
            ErrorRow(.configuration, "The port is out of range.", "Correct the port.") {
                try BaseURL(domain: "api.example", port: 70_000).validate()
            },
            ErrorRow(.configuration, "The URL is relative.", "Pass an absolute URL.") {
                try BaseURL(ErrorScene.url("/v2")).validate()
            },
            ErrorRow(.configuration, "The URL has a fragment.", "Remove the fragment.") {
                try BaseURL(validating: "https://api.example/#v2")
            },
            ErrorRow(.configuration, "The URL contains credentials.", "Use an authorization interceptor.") {
                try BaseURL(validating: "https://eva@api.example")
            },
            ErrorRow(.configuration, "The route contains a query or a fragment.", "Pass the query with the path.") {
                try BaseURL(domain: "api.example", route: "v2?a=1").validate()
            },
            ErrorRow(.configuration, "The route leads above the root.", "Remove the `..` segments.") {
                try BaseURL(domain: "api.example", route: "../v2").validate()
            },
            ErrorRow(.configuration, "The port is not a number.", "Correct the port, or remove the colon.") {
                try BaseURL(validating: "https://api.example:x")
            },
            ErrorRow(.configuration, "The URL contains a line break or a tab.", "Remove the character.") {
                try BaseURL(validating: "https://api.example/\n")
            },
            ErrorRow(.configuration, "The URL is a template.", "Pass the variables with the path.") {
                try BaseURL(validating: "https://api.example/{version}")
            },
            ErrorRow(.configuration, "The URL begins or ends with a space.", "Remove the white space.") {
                try BaseURL(validating: " https://api.example")
            },
            ErrorRow(
                .configuration, "The path of a request is an absolute URL.", "Pass a path, or use another environment."
            ) {
                try ErrorScene.environment.url(for: "https://other.example/photos")
            },
            ErrorRow(.configuration, "The path leads above the base URL.", "Remove the `..` segments.") {
                try ErrorScene.environment.url(for: "../../photos")
            },
            ErrorRow(.configuration, "The name is not a case of the environment.", "Pass a name of the list.") {
                try Stage(named: "prod")
            },
        ]

    private static let hosts: [ErrorRow] = [
        ErrorRow(.configuration, "The base URL has no host.", "Add the host.") {
            try BaseURL(domain: "").validate()
        },
        ErrorRow(.configuration, "The host contains characters that IDNA forbids.", "Correct the host.") {
            try BaseURL(domain: "\u{FFFD}.example").validate()
        },
        ErrorRow(.configuration, "The host has two adjacent dots.", "Remove one dot.") {
            try BaseURL(domain: "api..example").validate()
        },
        ErrorRow(.configuration, "An IPv6 address has no brackets.", "Write the address in brackets.") {
            try BaseURL(domain: "::1").validate()
        },
        ErrorRow(.configuration, "The host contains an invalid character.", "Correct the host.") {
            try BaseURL(domain: "api!.example").validate()
        },
        ErrorRow(.configuration, "The IPv6 address is invalid or has a zone.", "Correct the address.") {
            try BaseURL(domain: "[fe80::1%eth0]").validate()
        },
    ]
}
