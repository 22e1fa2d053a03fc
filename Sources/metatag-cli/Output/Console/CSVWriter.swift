import SystemPackage

/// Writes CSV (RFC 4180): rows end with CR LF, fields are quoted only if necessary, and bytes are written unchanged.
struct CSVWriter {
  /// The bytes written since the last `take()`.
  private(set) var bytes: [UInt8] = []
  private var startsRow = true

  /// Returns the bytes written since the last call.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func row(_ fields: [String]) {
    fields.forEach { field($0) }
    endRow()
  }

  /// Writes a field; nil becomes an empty one.
  mutating func field(_ text: String?) { field(bytes: text.map { Array($0.utf8) } ?? []) }

  /// Writes a path as its bytes, so that it still opens the file.
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
