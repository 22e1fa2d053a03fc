import SystemPackage

/// Writes comma-separated values (RFC 4180): CR LF ends a row, quotes only where they are needed, bytes as they are.
struct CSVWriter {
  /// What was written and not taken yet.
  private(set) var bytes: [UInt8] = []
  private var startsRow = true

  /// Hands over what was written so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func row(_ fields: [String]) {
    fields.forEach { field($0) }
    endRow()
  }

  /// What is nil isn't known: an empty field.
  mutating func field(_ text: String?) { field(bytes: text.map { Array($0.utf8) } ?? []) }

  /// A path goes out as its own bytes, so that it still opens the file.
  mutating func field(path: FilePath) { field(bytes: path.rawBytes) }

  mutating func endRow() {
    bytes.append(contentsOf: [0x0D, 0x0A])
    startsRow = true
  }

  private mutating func field(bytes text: [UInt8]) {
    if !startsRow { bytes.append(UInt8(ascii: ",")) }
    startsRow = false
    guard text.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) else {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(0x22)
    for byte in text { bytes.append(contentsOf: repeatElement(byte, count: byte == 0x22 ? 2 : 1)) }
    bytes.append(0x22)
  }
}
