/// The properties of items (ISO/IEC 23008-12, 9.3): boxes in `ipco`, assigned to items by `ipma`.
struct HEIFProperties {
  private let source: any ByteSource
  private let properties: [Box]
  private let associations: [Box]

  /// Reads the properties of the items.
  /// - Parameter box: `iprp`; without one, no item has any.
  init(_ box: Box?, in source: any ByteSource) throws(FileError) {
    self.source = source
    let children = try box.map { box throws(FileError) in try source.boxes(in: box.payload) } ?? []
    let container = children.first { $0.type == "ipco" }
    properties = try container.map { box throws(FileError) in try source.boxes(in: box.payload) } ?? []
    associations = properties.isEmpty ? [] : children.filter { $0.type == "ipma" }
  }

  /// Returns the properties of an item, in their order.
  func boxes(of item: Int) throws(FileError) -> [Box] {
    var boxes: [Box] = []
    for association in associations {
      for index in try indexes(of: item, association) where index > 0 && index <= properties.count {
        boxes.append(properties[index - 1])
      }
    }
    return boxes
  }

  private func indexes(of item: Int, _ box: Box) throws(FileError) -> [Int] {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    let head = try reader.field(4).value
    let isWide = head & 1 == 1
    for _ in 0..<(try reader.field(4).value) {
      let id = try reader.field(head >> 24 < 1 ? 2 : 4).value
      let count = try reader.field(1).value
      guard id == item else {
        reader.at += count * (isWide ? 2 : 1)
        continue
      }
      var indexes: [Int] = []
      for _ in 0..<count { indexes.append(try reader.field(isWide ? 2 : 1).value & (isWide ? 0x7FFF : 0x7F)) }
      return indexes
    }
    return []
  }
}

/// The colour description of a HEIF picture (`colr`: ISO/IEC 14496-12, 12.1.5): an ICC profile, or code numbers of
/// ITU-T H.273.
package struct HEIFColour {
  /// The embedded ICC profile; nil if there is none.
  let embedded: [UInt8]?
  package private(set) var primaries = 2
  package private(set) var transfer = 2

  /// Reads the properties. The first of each kind counts.
  init(_ properties: [Box], in source: any ByteSource) throws(FileError) {
    var embedded: [UInt8]?
    var isNamed = false
    for box in properties where box.type == "colr" && box.payload.count >= 4 {
      let kind = FourCC(rawValue: try source.bytes(at: box.payload.lowerBound, count: 4).u32(0, .big))
      let content = box.payload.lowerBound + 4..<box.payload.upperBound
      if kind == "nclx", !isNamed, content.count >= 4 {
        let numbers = try source.bytes(content)
        (primaries, transfer) = (Int(try numbers.u16(0, .big)), Int(try numbers.u16(2, .big)))
        isNamed = true
      } else if kind == "prof" || kind == "rICC", embedded == nil, content.count >= ICCProfile.shortest {
        embedded = try source.bytes(content).array
      }
    }
    self.embedded = embedded
  }

  /// The embedded profile, or one equivalent to the code numbers; nil if the colours are the default (sRGB) or no
  /// profile can describe them.
  package var profile: [UInt8]? { embedded ?? ICCProfile.standing(for: primaries, transfer) }

  /// The colour properties that an ICC profile can't express.
  var losses: [Note] {
    guard embedded == nil else { return [] }
    switch transfer {
    case 16: return [Note(.coloursChanged, "HDR brightness (PQ) beyond the range of JPEG")]
    case 18: return [Note(.coloursChanged, "HDR brightness (HLG) beyond the range of JPEG")]
    default: break
    }
    guard profile == nil, ![1, 2, 5, 6].contains(primaries) else { return [] }
    return [Note(.coloursChanged, "its colour space (H.273 colour primaries \(primaries))")]
  }
}

/// The rotation and mirroring of an image by its own properties (ISO/IEC 23008-12, 6.5.10 and 6.5.12). They are
/// authoritative; EXIF's Orientation is a copy that readers of HEIF ignore.
struct HEIFOrientation {
  /// Quarter turns anticlockwise, after a mirroring left to right if there is one.
  private var turns = 0
  private var isMirrored = false

  /// The equivalent EXIF orientation, 1…8.
  var exif: Int { (isMirrored ? [2, 5, 4, 7] : [1, 8, 3, 6])[turns] }

  /// Applies an item's properties in their order.
  init(_ properties: [Box], in source: any ByteSource) throws(FileError) {
    for property in properties where !property.payload.isEmpty {
      let value = Int(try source.bytes(at: property.payload.lowerBound, count: 1).u8(0))
      switch property.type {
      case "irot": turns = (turns + value & 3) & 3
      // Axis 0 exchanges top and bottom, axis 1 left and right, as in libheif and libavif.
      case "imir": (turns, isMirrored) = ((value & 1 == 1 ? 4 - turns : 6 - turns) & 3, !isMirrored)
      default: break
      }
    }
  }
}

/// ICC profiles (ICC.1:2010) for colours that a HEIF file describes by ITU-T H.273 code numbers, which a JPEG can't
/// hold.
enum ICCProfile {
  /// The length of the header and the count of tags.
  static let shortest = 132

  /// Returns a display profile with these primaries and this transfer function; nil if none is needed (BT.709) or none
  /// can be made.
  static func standing(for primaries: Int, _ transfer: Int) -> [UInt8]? {
    guard let space = spaces[primaries], let curve = curves[transfer] else { return nil }
    let text = localized(space.name)
    let parameters = Array("para\0\0\0\0\0\u{3}\0\0".utf8) + curve.flatMap(number)
    let tags: [(String, [UInt8])] =
      [("desc", text), ("cprt", localized("No copyright, use freely")), ("wtpt", xyz([0.9642, 1, 0.8249]))]
      + zip(["rXYZ", "gXYZ", "bXYZ"], space.columns).map { ($0, xyz($1)) }
      + [("rTRC", parameters), ("gTRC", parameters), ("bTRC", parameters)]
      + [("chad", Array("sf32\0\0\0\0".utf8) + adaptation.flatMap(number))]
    return assembled(tags)
  }

  /// Red, green and blue in XYZ, adapted to D50.
  private static let spaces: [Int: (name: String, columns: [[Double]])] = [
    9: (
      "BT.2020",
      [[0.67348, 0.27904, -0.00193], [0.16566, 0.67535, 0.02998], [0.12505, 0.04561, 0.79686]]
    ),
    12: (
      "Display P3",
      [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]]
    ),
  ]

  /// From D65 to D50, by Bradford's matrix.
  private static let adaptation = [
    1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168,
  ]

  /// Transfer functions as parametric curves of type 3: gamma, a, b, c, d.
  private static let curves: [Int: [Double]] = {
    let film = [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
    let sRGB = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    return [1: film, 2: sRGB, 6: film, 13: sRGB, 14: film, 15: film]
  }()

  private static func assembled(_ tags: [(String, [UInt8])]) -> [UInt8] {
    let start = shortest + 12 * tags.count
    var table = UInt32(tags.count).bytes(.big)
    var data: [UInt8] = []
    for (name, bytes) in tags {
      table += Array(name.utf8) + UInt32(start + data.count).bytes(.big) + UInt32(bytes.count).bytes(.big)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = UInt32(start + data.count).bytes(.big) + [UInt8](repeating: 0, count: 4) + [4, 0x30, 0, 0]
    header += Array("mntrRGB XYZ ".utf8)
    // The date of the standard: a profile must not depend on the day on which it is made.
    header += [2010, 12, 1, 0, 0, 0].flatMap { UInt16($0).bytes(.big) } + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + xyz([0.9642, 1, 0.8249]).dropFirst(8)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  private static func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + values.flatMap(number) }

  private static func localized(_ text: String) -> [UInt8] {
    let characters = text.utf16.flatMap { $0.bytes(.big) }
    return Array("mluc\0\0\0\0".utf8)
      + [1, 12].flatMap { UInt32($0).bytes(.big) } + Array("enUS".utf8)
      + [characters.count, 28].flatMap { UInt32($0).bytes(.big) } + characters
  }

  /// Returns a number as s15Fixed16.
  private static func number(_ value: Double) -> [UInt8] { Int32((value * 65_536).rounded()).bytes(.big) }
}
