/// NMEA 0183 sentences of any talker, and Magellan's `$PMGNTRK`. Sentences with the same time of day make one fix, so
/// that logs of mixed rates lose none.
///
/// The date comes from RMC, ZDA or PMGNTRK and applies until the clock passes midnight; dates of earlier fixes are
/// counted backwards from it. Checksums are verified if present.
struct NMEA: TrackFormat {
  let name = "NMEA"

  func recognizes(_ head: [UInt8]) -> Bool {
    head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(200).contains { line in
      guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return false }
      let type = line[(start + 1)...].prefix { $0 != UInt8(ascii: ",") }
      guard type.count == 5 || type.count == 7 else { return false }
      return type.elementsEqual("PMGNTRK")
        || ["RMC", "GGA", "GLL", "GNS", "GSA", "GSV", "VTG", "ZDA", "WPL", "RTE"]
          .contains(String(decoding: type.dropFirst(2), as: UTF8.self))
    }
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var input = input
    var log = NMEALog()
    while let (range, isWhole) = try input.line() {
      guard let start = input.bytes[range].firstIndex(of: UInt8(ascii: "$")) else { continue }
      var line = input.bytes[start + 1..<range.upperBound]
      if let star = line.lastIndex(of: UInt8(ascii: "*")) {
        let sum = line[..<star].reduce(0) { $0 ^ $1 }
        guard UInt8(hex: line[(star + 1)...].prefix(2)) == sum else {
          builder.reject(.badCheckSum)
          continue
        }
        line = line[..<star]
      } else if !isWhole {
        // In a truncated file, the last number may be cut off and so be another one.
        builder.noteEnd(at: input.position)
        continue
      }
      log.take(line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false), into: &builder)
    }
    log.finish(into: &builder)
  }
}

extension UInt8 {
  /// Parses two hexadecimal digits.
  fileprivate init?(hex: ArraySlice<UInt8>) {
    guard hex.count == 2, let value = UInt8(String(decoding: hex, as: UTF8.self), radix: 16) else { return nil }
    self = value
  }
}
