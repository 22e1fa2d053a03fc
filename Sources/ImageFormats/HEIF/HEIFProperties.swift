/// The properties of items (ISO/IEC 23008-12, 9.3): boxes in `ipco`, assigned to items by `ipma`.
struct HEIFProperties {
  private let source: any ByteSource
  private let properties: [Box]
  private let associations: [Box]

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
  private let embedded: [UInt8]?
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

  /// The colour properties that an ICC profile can't express, in words.
  var losses: [String] {
    guard embedded == nil else { return [] }
    switch transfer {
    case 16: return ["HDR (PQ): brightness that a JPEG can't express"]
    case 18: return ["HDR (HLG): brightness that a JPEG can't express"]
    default: break
    }
    return profile != nil || [1, 2, 5, 6].contains(primaries) ? [] : ["its colour space (number \(primaries) of H.273)"]
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
