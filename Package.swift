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
// The programs in C++ are linked without the Swift runtime, of which they use nothing: without its startup object, the linker
// leaves out the whole static library. No target of a client depends on them, so clients are not affected by unsafe flags.
let withoutSwift: [LinkerSetting] = [.unsafeFlags(["-nostartfiles", "-static-stdlib"])]
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

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
    .executableTarget(
      name: "metatag-codecs", dependencies: ["CChild", "CCodecs"], cxxSettings: cxx, linkerSettings: withoutSwift),
    .executableTarget(
      name: "metatag-pictures", dependencies: ["CChild", "CPictures"], cxxSettings: cxx, linkerSettings: withoutSwift),
    .target(name: "Basics", dependencies: ["CSys", systemPackage], swiftSettings: swift),
    .target(name: "ImageFormats", dependencies: ["Basics", "CSys", systemPackage], swiftSettings: swift),
    .target(name: "Decoding", dependencies: ["ImageFormats", "CSys", systemPackage], swiftSettings: swift),
    .target(name: "SafeWriting", dependencies: ["Basics", "CSys", grdb, systemPackage], swiftSettings: swift),
    .target(
      name: "MetaTag",
      dependencies: ["Basics", "ImageFormats", "Decoding", "SafeWriting", "CSys", systemPackage],
      swiftSettings: swift),
    .target(
      name: "GeoIndex",
      dependencies: ["Basics", "CSys", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")],
      resources: [.copy("Resources/gazetteer"), .copy("Resources/borders")],
      swiftSettings: swift),
    .executableTarget(
      name: "metatag-cli",
      dependencies: [
        "MetaTag", "GeoIndex",
        argumentParser,
        systemPackage,
      ],
      swiftSettings: swift),
    .executableTarget(
      name: "geo-bench", dependencies: ["GeoIndex"], path: "Benchmarks/geo-bench", swiftSettings: swift),
    .executableTarget(
      name: "metatag-bench", dependencies: ["MetaTag", systemPackage],
      path: "Benchmarks/tracks", exclude: ["make-track", "run"], swiftSettings: swift),
    .target(
      name: "TestSupport",
      dependencies: ["CSys", "MetaTag", systemPackage],
      path: "Tests/TestSupport", swiftSettings: swift),
    .testTarget(
      name: "MetaTagTests",
      dependencies: [
        "Basics", "ImageFormats", "Decoding", "SafeWriting", "MetaTag", "TestSupport", grdb,
        systemPackage,
      ],
      swiftSettings: swift),
    .testTarget(
      name: "GeoIndexTests",
      dependencies: ["Basics", "GeoIndex", "TestSupport", grdb], swiftSettings: swift),
    .testTarget(
      name: "MetatagCLITests",
      dependencies: [
        "metatag-cli", "Basics", "ImageFormats", "Decoding", "SafeWriting", "MetaTag", "GeoIndex", "TestSupport",
        argumentParser,
        systemPackage,
      ],
      swiftSettings: swift),
  ],
  cxxLanguageStandard: .cxx17
)
