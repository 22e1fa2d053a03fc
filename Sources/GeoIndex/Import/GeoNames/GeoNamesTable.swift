import Basics

/// The tables that GeoNames offers for download: columns separated by tabs, without headings or quotation marks.
enum GeoNamesTable {
  /// Places, as in `allCountries.txt`, `cities500.txt` or `DE.txt`.
  case places
  /// Postal codes.
  case postcodes
  /// Names of places in many languages.
  case alternateNames
  /// Names of regions of the first or second level.
  case regions
  /// Names of feature codes.
  case features

  /// Detects a table by its first line; nil if it is another kind of file.
  init?(firstLine: ArraySlice<UInt8>) {
    let line = firstLine.prefix { $0 != 0x0A }
    guard line.count < 1 << 15, let text = String(validating: line, as: UTF8.self) else { return nil }
    let fields = text.trimmingBlanks.split(separator: "\t", omittingEmptySubsequences: false)
    func isNumber(_ index: Int) -> Bool { Int(fields[index]) != nil }
    func isDecimal(_ index: Int) -> Bool { PlaceDraft.decimal(fields[index]) != nil }
    let code = fields[0].split(separator: ".", omittingEmptySubsequences: false)
    switch fields.count {
    case 19 where isNumber(0) && isDecimal(4) && isDecimal(5) && fields[6].utf8.count <= 1: self = .places
    case 11...12 where fields[0].isCountryCode && isDecimal(9) && isDecimal(10): self = .postcodes
    case 4...10 where isNumber(0) && isNumber(1) && fields[2].utf8.count <= 7 && !isDecimal(3): self = .alternateNames
    case 4 where code.count >= 2 && code[0].isCountryCode && isNumber(3): self = .regions
    case 2...3 where code.count == 2 && code[0].utf8.count == 1 && code[1].utf8.allSatisfy({ $0 < 0x5B && $0 > 0x20 }):
      self = .features
    default: return nil
    }
  }

  /// The description of a table without positions; nil for tables of places.
  var withoutPositions: String? {
    switch self {
    case .places, .postcodes: nil
    case .alternateNames: "GeoNames' table of alternate names"
    case .regions: "GeoNames' table of regions"
    case .features: "GeoNames' table of feature codes"
    }
  }
}

extension StringProtocol {
  fileprivate var isCountryCode: Bool { utf8.count == 2 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }

  /// The text without line ends and blanks around it. A tab separates columns, and is kept at the beginning.
  fileprivate var trimmingBlanks: String {
    var bytes = Array(utf8)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The lines of a table of GeoNames.
struct GeoNamesLines {
  private var input: InputWindow
  /// The number of the current line, counted from 1.
  private(set) var number = 0
  private var columns: [Range<Int>] = []

  init(_ input: InputWindow) { self.input = input }

  /// Moves to the next line that isn't empty; false at the end. Empty columns at its end are not counted.
  mutating func next() throws(FileError) -> Bool {
    while let line = try input.line() {
      number += 1
      guard !line.range.isEmpty else { continue }
      columns.removeAll(keepingCapacity: true)
      var start = line.range.lowerBound
      for at in line.range where input.bytes[at] == 0x09 {
        columns.append(start..<at)
        start = at + 1
      }
      columns.append(start..<line.range.upperBound)
      return true
    }
    return false
  }

  /// The number of columns of the line.
  var count: Int { columns.count }

  /// The bytes of a column; empty if the line doesn't have it.
  func bytes(_ column: Int) -> ArraySlice<UInt8> { column < columns.count ? input.bytes[columns[column]] : [] }

  /// The text of a column; nil if it isn't UTF-8.
  func text(_ column: Int) -> String? { String(validating: bytes(column), as: UTF8.self) }

  /// The whole number in a column; nil if it is something else.
  func number(_ column: Int) -> Int? {
    let bytes = bytes(column)
    guard !bytes.isEmpty, bytes.count <= 18, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The decimal number in a column; nil if it is something else.
  func decimal(_ column: Int) -> Double? {
    guard column < columns.count else { return nil }
    return PlainText.number(input.bytes, columns[column])
  }
}
