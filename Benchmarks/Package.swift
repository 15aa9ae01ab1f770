// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "errand-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "errand", path: "..")],
    targets: [
        .target(name: "CFloor"),
        .target(name: "CAllocations"),
        .executableTarget(name: "hello-foundation"),
        .executableTarget(name: "one-request", dependencies: [.product(name: "Errand", package: "errand")]),
        .executableTarget(
            name: "errand-bench",
            dependencies: [
                "CAllocations", "CFloor", .product(name: "Errand", package: "errand"),
                .product(name: "ErrandJSON", package: "errand"),
                .product(name: "ErrandLoopback", package: "errand"),
                .product(name: "ErrandValkey", package: "errand"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
