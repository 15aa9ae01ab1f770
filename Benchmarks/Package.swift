// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "errand-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "errand", path: "..")],
    targets: [
        .executableTarget(
            name: "errand-bench",
            dependencies: [
                .product(name: "Errand", package: "errand"), .product(name: "ErrandLoopback", package: "errand"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
