// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "errand-linkage-test",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "errand", path: "../..")],
    targets: [
        .executableTarget(name: "core-only", dependencies: [.product(name: "Errand", package: "errand")]),
        .executableTarget(name: "json-only", dependencies: [.product(name: "ErrandJSON", package: "errand")]),
        .executableTarget(name: "graphql-only", dependencies: [.product(name: "ErrandGraphQL", package: "errand")]),
        .executableTarget(
            name: "json-rpc",
            dependencies: [
                .product(name: "Errand", package: "errand"), .product(name: "ErrandJSON", package: "errand"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
