// swift-tools-version: 6.3
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
let withoutSwift: [LinkerSetting] = [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--compress-debug-sections=zlib"])]
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// A C library of the system, which only the C and C++ targets include. If it is missing, SwiftPM names the Debian package.
/// The targets that use it link it by name, too: where pkg-config isn't installed, SwiftPM doesn't find the library's
/// description. Names have a prefix, because they must be unique among all packages of a client.
func library(_ name: String, _ pkgConfig: String?, debian package: String) -> Target {
  .systemLibrary(
    name: "CMetaTag\(name)", path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

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
    library("Brotli", "libbrotlidec", debian: "libbrotli-dev"),
    library("Crypto", "libcrypto", debian: "libssl-dev"),
    library("Exif", "libexif", debian: "libexif-dev"),
    library("Exiv2", "exiv2", debian: "libexiv2-dev"),
    // It has no description for pkg-config; that of libjxl has a flag that SwiftPM warns of.
    library("GIF", nil, debian: "libgif-dev"),
    library("Heif", "libheif", debian: "libheif-dev"),
    library("JPEG", "libjpeg", debian: "libjpeg-dev"),
    library("JXL", nil, debian: "libjxl-dev"),
    library("PNG", "libpng", debian: "libpng-dev"),
    library("Seccomp", "libseccomp", debian: "libseccomp-dev"),
    library("TIFF", "libtiff-4", debian: "libtiff-dev"),
    library("WebP", "libwebpdemux", debian: "libwebp-dev"),
    library("Zlib", "zlib", debian: "zlib1g-dev"),
    .target(
      name: "CSys", dependencies: ["CMetaTagBrotli", "CMetaTagCrypto", "CMetaTagZlib"], cSettings: c,
      linkerSettings: [.linkedLibrary("brotlidec"), .linkedLibrary("crypto"), .linkedLibrary("z")]),
    .target(
      name: "CCodecs", dependencies: ["CMetaTagExif", "CMetaTagExiv2"], cxxSettings: cxx,
      linkerSettings: [.linkedLibrary("exiv2"), .linkedLibrary("exif")]),
    .target(
      name: "CPictures",
      dependencies: [
        "CMetaTagGIF", "CMetaTagHeif", "CMetaTagJPEG", "CMetaTagJXL", "CMetaTagPNG", "CMetaTagTIFF", "CMetaTagWebP",
      ],
      cxxSettings: cxx,
      linkerSettings: ["gif", "heif", "jpeg", "jxl", "png", "tiff", "webp", "webpdemux"].map { .linkedLibrary($0) }),
    .target(
      name: "CChild", dependencies: ["CMetaTagSeccomp"], cxxSettings: cxx,
      linkerSettings: [.linkedLibrary("seccomp")]),
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
    // Parsers that run on changed bytes, and the program that does so (see Scripts/fuzz).
    .target(
      name: "FuzzTargets", dependencies: ["CSys", "Decoding", "GeoIndex", "MetaTag", "SafeWriting"], path: "Tests/FuzzTargets",
      swiftSettings: swift),
    .target(name: "CFuzzer", path: "Tests/CFuzzer", cSettings: c),
    .executableTarget(
      name: "metatag-fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tests/Fuzzer", exclude: ["COUNTS.csv"],
      swiftSettings: swift),
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
        "FuzzTargets",
        argumentParser,
        systemPackage,
      ],
      swiftSettings: swift),
  ],
  cxxLanguageStandard: .cxx17
)
