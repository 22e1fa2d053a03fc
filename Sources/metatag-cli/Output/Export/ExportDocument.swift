/// What is written of all photos together, in pieces that go out one after the other.
protocol ExportDocument {
  func begin() -> [UInt8]
  mutating func add(_ photo: ExportedPhoto) -> [UInt8]
  mutating func end() -> [UInt8]
}

/// A text with an entry for each photo.
struct TextExport: ExportDocument {
  private let format: any ExportFormat
  private var isFirst = true

  init(_ format: any ExportFormat) { self.format = format }

  func begin() -> [UInt8] { Array(format.head.utf8) }

  mutating func add(_ photo: ExportedPhoto) -> [UInt8] {
    defer { isFirst = false }
    return (isFirst ? [] : Array(format.separator.utf8)) + format.entry(photo)
  }

  func end() -> [UInt8] { Array(format.tail.utf8) }
}
