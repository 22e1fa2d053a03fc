import Foundation

/// The versions of the libraries that decode photos, as Debian's package database lists them.
struct InstalledPackages {
  /// A library with a known hole.
  struct Outdated: Equatable {
    let name: String
    let version: String
    /// The first version without the hole.
    let fixed: String
    let hole: String
  }

  private let versions: [String: String]

  /// Reads the database; nil if there is none.
  init?(database: String = "/var/lib/dpkg/status") {
    guard let text = try? String(contentsOfFile: database, encoding: .utf8) else { return nil }
    self.init(text: text)
  }

  init(text: String) {
    var (versions, name): ([String: String], String?) = ([:], nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { name = nil }
      if let value = line.value(of: "Package") { name = value }
      if let value = line.value(of: "Version"), let name { versions[name] = value }
    }
    self.versions = versions
  }

  /// The libraries with a known hole, and the first versions of Debian 12 without it (security-tracker.debian.org).
  private static let holes: [(name: String, fixed: String, hole: String)] = [
    ("libaom3", "3.6.0-1+deb12u3", "CVE-2026-56208"),
    ("libdav1d6", "1.0.0-2+deb12u1", "CVE-2024-1580"),
    ("libde265-0", "1.0.11-1+deb12u3", "CVE-2026-33165"),
    ("libexif12", "0.6.24-1+deb12u1", "CVE-2026-32775"),
    ("libexpat1", "2.5.0-1+deb12u5", "CVE-2026-124317"),
    ("libheif1", "1.15.1-1+deb12u1", "CVE-2024-41311"),
    ("libsqlite3-0", "3.40.1-2+deb12u2", "CVE-2025-6965"),
  ]

  /// The installed libraries with a known hole.
  var outdated: [Outdated] {
    InstalledPackages.holes.compactMap { name, fixed, hole in
      guard let version = versions[name], DebianVersion(version) < DebianVersion(fixed) else { return nil }
      return Outdated(name: name, version: version, fixed: fixed, hole: hole)
    }
  }
}

extension Substring {
  fileprivate func value(of field: String) -> String? {
    hasPrefix(field + ": ") ? String(dropFirst(field.count + 2)) : nil
  }
}

/// A version of a Debian package, ordered as Debian Policy 5.6.12 says.
struct DebianVersion: Comparable {
  private let epoch: Int
  private let upstream: [UInt8]
  private let revision: [UInt8]

  init(_ text: String) {
    let colon = text.firstIndex(of: ":")
    epoch = colon.flatMap { Int(text[..<$0]) } ?? 0
    let rest = colon.map { text[text.index(after: $0)...] } ?? text[...]
    let hyphen = rest.lastIndex(of: "-")
    upstream = Array(rest[..<(hyphen ?? rest.endIndex)].utf8)
    revision = hyphen.map { Array(rest[rest.index(after: $0)...].utf8) } ?? []
  }

  static func < (a: DebianVersion, b: DebianVersion) -> Bool {
    if a.epoch != b.epoch { return a.epoch < b.epoch }
    return order(a.upstream, b.upstream) ?? order(a.revision, b.revision) ?? false
  }

  /// Returns whether `a` is before `b`; nil if they are equal. Text and numbers alternate.
  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Bool? {
    var (a, b) = (a[...], b[...])
    while !a.isEmpty || !b.isEmpty {
      while a.first.map(isDigit) == false || b.first.map(isDigit) == false {
        let (x, y) = (rank(a.first), rank(b.first))
        if x != y { return x < y }
        a = a.dropFirst()
        b = b.dropFirst()
      }
      let (x, y) = (number(&a), number(&b))
      if x != y { return x < y }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A tilde sorts before the end, and letters before other characters.
  private static func rank(_ byte: UInt8?) -> Int {
    switch byte {
    case UInt8(ascii: "~"): -1
    case nil: 0
    case let byte? where isDigit(byte): 0
    case let byte? where (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z"): Int(byte)
    case let byte?: Int(byte) + 256
    }
  }

  private static func number(_ text: inout ArraySlice<UInt8>) -> Int {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
