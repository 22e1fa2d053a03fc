// swift-tools-version: 6.3
import PackageDescription

// A client of the library: it sees what is public, and imports MetaTag alone.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "metatag", path: "..")],
  targets: [
    .executableTarget(
      name: "place-photo", dependencies: [.product(name: "MetaTag", package: "metatag")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ])
  ],
  cxxLanguageStandard: .cxx17
)
