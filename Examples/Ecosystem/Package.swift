// swift-tools-version: 6.2
import PackageDescription

// The samples for other packages, and stubs of those packages. Each stub contains the used declarations and names their
// source. This is a separate package, so that a package that depends on Errand has no second target named `Logging` in
// its graph. Your package depends on the real packages.
let stubs: [String: [String]] = [
    "Alamofire": [],
    "AsyncHTTPClient": ["NIOCore", "NIOHTTP1"],
    "CoreMetrics": [],
    "HTTPTypes": [],
    "HTTPTypesFoundation": ["HTTPTypes"],
    "Instrumentation": ["ServiceContextModule"],
    "Logging": [],
    "Metrics": ["CoreMetrics"],
    "NIOCore": [],
    "NIOHTTP1": [],
    "NIOPosix": [],
    "OpenAPIRuntime": ["HTTPTypes"],
    "ServiceContextModule": [],
    "Tracing": ["Instrumentation", "ServiceContextModule"],
]
let errand: Target.Dependency = .product(name: "Errand", package: "errand")
let all: [Target.Dependency] = stubs.keys.sorted().map { .byName(name: $0) } + [errand]

let package = Package(
    name: "ecosystem",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "errand", path: "../..")],
    targets: stubs.sorted { $0.key < $1.key }.map { name, dependencies in
        .target(name: name, dependencies: dependencies.map { .byName(name: $0) } + [errand], path: "Stubs/\(name)")
    } + [
        .testTarget(
            name: "EcosystemTests", dependencies: all, path: ".",
            exclude: ["Stubs", "MainActorRecipes", "MainActorRecipesSwift5"], sources: ["Recipes", "Tests"]),
        // The same samples with the settings of an app project created with Xcode 26. The folders are symbolic links.
        .target(name: "MainActorRecipes", dependencies: all, path: "MainActorRecipes"),
        .target(name: "MainActorRecipesSwift5", dependencies: all, path: "MainActorRecipesSwift5"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name.hasPrefix("MainActor") {
    let features = ["MemberImportVisibility", "NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
    target.swiftSettings = features.map { .enableUpcomingFeature($0) } + [.defaultIsolation(MainActor.self)]
    if target.name.hasSuffix("Swift5") { target.swiftSettings?.append(.swiftLanguageMode(.v5)) }
}
