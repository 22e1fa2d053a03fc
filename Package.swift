// swift-tools-version: 6.2
import PackageDescription

let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]
let c: [CSetting] = [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]
let cxx: [CXXSetting] = [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "metatag",
  products: [
    .library(name: "MetaTag", targets: ["MetaTag"]),
    .library(name: "GeoIndex", targets: ["GeoIndex"]),
    .executable(name: "metatag", targets: ["metatag-cli"]),
    .executable(name: "metatag-codecs", targets: ["metatag-codecs"]),
    .executable(name: "metatag-pictures", targets: ["metatag-pictures"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "CSys", cSettings: c,
      linkerSettings: [.linkedLibrary("brotlidec"), .linkedLibrary("crypto"), .linkedLibrary("z")]),
    .target(
      name: "CCodecs", cxxSettings: cxx, linkerSettings: [.linkedLibrary("exiv2"), .linkedLibrary("exif")]),
    .target(
      name: "CPictures", cxxSettings: cxx, linkerSettings: [.linkedLibrary("heif"), .linkedLibrary("jpeg")]),
    .target(name: "CChild", cxxSettings: cxx, linkerSettings: [.linkedLibrary("seccomp")]),
    .executableTarget(name: "metatag-codecs", dependencies: ["CChild", "CCodecs"], cxxSettings: cxx),
    .executableTarget(name: "metatag-pictures", dependencies: ["CChild", "CPictures"], cxxSettings: cxx),
    .target(
      name: "Basics", dependencies: ["CSys", .product(name: "SystemPackage", package: "swift-system")], swiftSettings: swift),
    .target(name: "ImageFormats", dependencies: ["Basics", "CSys", .product(name: "SystemPackage", package: "swift-system")], swiftSettings: swift),
    .target(name: "Decoding", dependencies: ["ImageFormats", "CSys", .product(name: "SystemPackage", package: "swift-system")], swiftSettings: swift),
    .target(
      name: "SafeWriting", dependencies: ["Basics", "CSys", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: swift),
    .target(
      name: "MetaTag", dependencies: ["Basics", "ImageFormats", "Decoding", "SafeWriting", "CSys", .product(name: "SystemPackage", package: "swift-system")], swiftSettings: swift),
    .target(
      name: "GeoIndex",
      dependencies: [
        "CSys", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.copy("Resources/gazetteer"), .copy("Resources/borders")],
      swiftSettings: swift),
    .executableTarget(
      name: "metatag-cli",
      dependencies: [
        "MetaTag", "GeoIndex",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swift),
    .executableTarget(
      name: "geo-bench", dependencies: ["GeoIndex"], path: "Benchmarks/geo-bench", swiftSettings: swift),
    .executableTarget(
      name: "metatag-bench", dependencies: ["MetaTag", .product(name: "SystemPackage", package: "swift-system")],
      path: "Benchmarks/tracks", exclude: ["make-track", "run"], swiftSettings: swift),
    .target(
      name: "TestSupport",
      dependencies: ["CSys", "MetaTag", .product(name: "SystemPackage", package: "swift-system")],
      path: "Tests/TestSupport", swiftSettings: swift),
    .testTarget(
      name: "MetaTagTests",
      dependencies: [
        "Basics", "ImageFormats", "Decoding", "SafeWriting", "MetaTag", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swift),
    .testTarget(
      name: "GeoIndexTests",
      dependencies: ["Basics", "GeoIndex", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")], swiftSettings: swift),
    .testTarget(
      name: "MetatagCLITests",
      dependencies: [
        "metatag-cli", "Basics", "ImageFormats", "Decoding", "SafeWriting", "MetaTag", "GeoIndex", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swift),
  ],
  cxxLanguageStandard: .cxx17
)
