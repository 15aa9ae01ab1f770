// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Errand", targets: ["Errand"]),
        .library(name: "ErrandGraphQL", targets: ["ErrandGraphQL"]),
        .library(name: "ErrandJSON", targets: ["ErrandJSON"]),
        .library(name: "ErrandLoopback", targets: ["ErrandLoopback"]),
        .library(name: "ErrandValkey", targets: ["ErrandValkey"]),
        .library(name: "ErrandTesting", targets: ["ErrandTesting"]),
        .library(name: "GalleryCore", targets: ["GalleryCore"]),
        .executable(name: "gallery", targets: ["gallery"]),
    ],
    targets: [
        .target(name: "ErrandSupport"),
        .target(name: "ErrandJSON", dependencies: ["ErrandSupport"]),
        .target(
            name: "Errand",
            dependencies: [
                "ErrandJSON", "ErrandSupport", .target(name: "CErrandCurl", condition: .when(platforms: [.linux])),
            ]),
        .target(name: "CErrandCurl"),
        .target(name: "ErrandGraphQL", dependencies: ["Errand", "ErrandJSON", "ErrandSupport"]),
        .target(name: "ErrandValkey", dependencies: ["Errand", "ErrandSupport"]),
        .target(name: "ErrandLoopback", dependencies: ["ErrandSupport"]),
        .target(name: "ErrandTesting", dependencies: ["Errand", "ErrandLoopback", "ErrandSupport"]),
        .target(name: "CGalleryCore", exclude: ["pictures", "catalogue.json"]),
        .target(
            name: "GalleryCore",
            dependencies: ["Errand", "ErrandJSON", "ErrandLoopback", "ErrandSupport", "CGalleryCore"]),
        .executableTarget(
            name: "gallery", dependencies: ["Errand", "ErrandSupport", "ErrandValkey", "GalleryCore", "CGalleryCore"]),
        .executableTarget(name: "conformance-driver", dependencies: ["Errand", "ErrandGraphQL"]),
        .target(name: "BankSearch", dependencies: ["Errand", "ErrandGraphQL"], path: "Examples/BankSearch"),
        .target(name: "CustomerApp", dependencies: ["Errand"], path: "Examples/CustomerApp"),
        .target(name: "ShortGallery", dependencies: ["Errand"], path: "Examples/ShortGallery"),
        .target(
            name: "Characters", dependencies: ["Errand", "ErrandGraphQL"], path: "Examples/Characters",
            resources: [.copy("CharactersQuery.graphql"), .copy("schema.graphql")]),
        .target(name: "Lottery", dependencies: ["Errand"], path: "Examples/Lottery"),
        .target(
            name: "ExampleServers", dependencies: ["Errand", "ErrandLoopback", "ErrandSupport"],
            path: "Examples/Servers"),
        .executableTarget(
            name: "examples",
            dependencies: [
                "BankSearch", "CustomerApp", "ShortGallery", "Characters", "Lottery", "ExampleServers", "ErrandGraphQL",
                "ErrandLoopback", "ErrandSupport", "ErrandValkey",
            ], path: "Examples/Runner"),
        .executableTarget(
            name: "wire-fuzz",
            dependencies: [
                "Errand", "ErrandLoopback", "ErrandTesting", "ErrandSupport", "ErrandValkey", "TestSupport",
            ],
            path: "Tests/wire-fuzz"),
        .target(name: "CTestEnvironment", path: "Tests/CTestEnvironment"),
        .target(
            name: "TestSupport", dependencies: ["Errand", "ErrandSupport", "CTestEnvironment"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "ErrandSupportTests", dependencies: ["ErrandSupport", "Errand", "ErrandTesting", "TestSupport"]),
        .testTarget(name: "ErrandJSONTests", dependencies: ["ErrandJSON", "ErrandSupport", "Errand", "TestSupport"]),
        .testTarget(
            name: "ErrandTests",
            dependencies: [
                .target(name: "CErrandCurl", condition: .when(platforms: [.linux])), "wire-fuzz", "Errand",
                "ErrandJSON",
                "ErrandLoopback", "ErrandTesting", "ErrandSupport", "TestSupport",
            ]),
        .testTarget(
            name: "ErrandTestingTests",
            dependencies: ["wire-fuzz", "Errand", "ErrandLoopback", "ErrandTesting", "ErrandSupport", "TestSupport"]),
        .testTarget(
            name: "ErrandGraphQLTests",
            dependencies: ["ErrandGraphQL", "Errand", "ErrandTesting", "ErrandSupport", "TestSupport"]),
        .testTarget(
            name: "ErrandValkeyTests",
            dependencies: ["ErrandValkey", "Errand", "ErrandLoopback", "ErrandTesting", "ErrandSupport", "TestSupport"]),
        .testTarget(
            name: "RecipeTests",
            dependencies: [
                "Errand", "ErrandGraphQL", "ErrandJSON", "ErrandLoopback", "ErrandTesting", "ErrandValkey",
                "GalleryCore",
                "ErrandSupport",
                "TestSupport",
            ],
            path: "Examples/Recipes", exclude: ["Recordings"]),
        // The same samples with the settings of an app project created with Xcode 26, in both language modes. The
        // folders are symbolic links to the one above.
        .testTarget(
            name: "MainActorRecipeTests",
            dependencies: [
                "Errand", "ErrandGraphQL", "ErrandJSON", "ErrandLoopback", "ErrandTesting", "ErrandValkey",
                "GalleryCore",
                "ErrandSupport",
                "TestSupport",
            ],
            path: "Examples/MainActorRecipes", exclude: ["Tests", "Recordings"]),
        .testTarget(
            name: "MainActorSwift5RecipeTests",
            dependencies: [
                "Errand", "ErrandGraphQL", "ErrandJSON", "ErrandLoopback", "ErrandTesting", "ErrandValkey",
                "GalleryCore",
                "ErrandSupport",
                "TestSupport",
            ],
            path: "Examples/MainActorRecipesSwift5", exclude: ["Tests", "Recordings"]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "examples", "ErrandGraphQL", "ErrandTesting", "ErrandLoopback", "ErrandSupport", "TestSupport",
            ]),
        .testTarget(
            name: "ErrandLoopbackTests", dependencies: ["Errand", "ErrandLoopback", "ErrandSupport", "TestSupport"]),
        .testTarget(
            name: "GalleryCoreTests",
            dependencies: ["GalleryCore", "ErrandLoopback", "ErrandTesting", "ErrandSupport", "TestSupport"]),
        .testTarget(
            name: "GalleryTests",
            dependencies: [
                "gallery", "ErrandLoopback", "ErrandTesting", "ErrandSupport", "ErrandValkey", "TestSupport",
            ]),
        .testTarget(
            name: "ConformanceDriverTests",
            dependencies: ["conformance-driver", "Errand", "ErrandLoopback", "ErrandSupport", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CErrandCurl", "CGalleryCore", "CTestEnvironment"].contains(target.name) {
    target.swiftSettings = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) }
}

// The settings of an app project created with Xcode 26: default isolation MainActor, "Approachable Concurrency", member
// import visibility and Swift 5. Swift 6 includes the features that only the Swift 5 target enables.
for target in package.targets where target.name.hasPrefix("MainActor") {
    let isSwift5 = target.name.contains("Swift5")
    let features =
        ["MemberImportVisibility", "NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
        + (isSwift5
            ? ["DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures"] : [])
    target.swiftSettings =
        features.map { .enableUpcomingFeature($0) } + [
            .defaultIsolation(MainActor.self), .swiftLanguageMode(isSwift5 ? .v5 : .v6),
        ]
}

// Xcode collects the privacy manifests of an app's libraries. They are not resources on Linux, because there a resource
// adds a generated accessor and a folder next to each program.
for target in package.targets where ["Errand", "GalleryCore"].contains(target.name) {
    #if canImport(Darwin)
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
        target.exclude.append("PrivacyInfo.xcprivacy")
    #endif
}
