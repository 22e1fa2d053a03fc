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
    case 16: return ["HDR (PQ): brightness that a JPEG can't tell of"]
    case 18: return ["HDR (HLG): brightness that a JPEG can't tell of"]
    default: break
    }
    return profile != nil || [1, 2, 5, 6].contains(primaries) ? [] : ["its colour space (number \(primaries) of H.273)"]
  }
}
