/// One marker segment before the pixels.
package struct JPEGSegment: Hashable, Sendable {
  /// The kind of an application segment, recognized by its first bytes.
  package enum Kind: Hashable, Sendable {
    case jfif
    case exif
    case xmp
    case extendedXMP
    /// XMP with a damaged or undocumented header.
    case unknownXMP
    case multiPicture
    case colorProfile
    case photoshop
    case contentCredentials
    case ricoh
    case other
  }

  static let exifHeader = Array("Exif\0\0".utf8)
  static let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMPHeader = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  static let photoshopHeader = Array("Photoshop 3.0\0".utf8)
  /// The longest payload that the 16-bit length of a segment allows.
  static let longestPayload = 65_533

  package let marker: UInt8
  package let kind: Kind
  /// The range from the marker to the end of the payload, without preceding fill bytes.
  let range: Range<Int>

  /// The bytes after the length.
  var payload: Range<Int> { range.lowerBound + 4..<range.upperBound }

  /// Returns a whole segment with this payload.
  static func bytes(_ marker: UInt8, _ payload: [UInt8]) throws(FileError) -> [UInt8] {
    [0xFF, marker] + (try length(payload.count)) + payload
  }

  /// Returns the length field of a segment, which counts itself.
  static func length(_ payloadCount: Int) throws(FileError) -> [UInt8] {
    guard payloadCount <= longestPayload else {
      throw FileError(.tooLarge, "the metadata would exceed 64 KB, the limit of a JPEG segment")
    }
    return UInt16(payloadCount + 2).bytes(.big)
  }
}

/// The marker segments from SOI to the first scan (ISO/IEC 10918-1, annex B). Pixels are never read.
package struct JPEGSegments: Sendable {
  /// The content of the frame header.
  package struct Frame: Hashable, Sendable {
    /// Bits per component.
    let precision: UInt8
    package let width: UInt16
    package let height: UInt16
    let components: UInt8
    /// The horizontal and vertical sampling factors of the first component, a nibble each.
    let sampling: UInt8
  }

  package private(set) var all: [JPEGSegment] = []
  package private(set) var frame: Frame?
  /// The start of the first scan (SOS) or the end of the image (EOI).
  package private(set) var scan = 0

  /// The limit of segments. Only a file made to exhaust its readers has more.
  private static let mostSegments = 65_536
  /// The limit of meaningless bytes between two segments.
  private static let mostJunk = 64
  /// The bytes that suffice to recognize a segment.
  private static let headCount = 96

  package init(of source: any ByteSource) throws(FileError) {
    var window = try source.prefix(at: 0, count: FileSource.headCount)
    var start = 0
    func look(at offset: Int) throws(FileError) -> Int {
      if offset - start + JPEGSegments.headCount > window.count, start + window.count < source.count {
        start = offset
        window = try source.prefix(at: offset, count: 4_096)
      }
      return offset - start
    }
    guard window.has([0xFF, 0xD8]) else {
      throw FileError(.malformed, "not a JPEG: expected an SOI marker (FF D8)", at: 0)
    }
    var at = 2
    while true {
      guard all.count < JPEGSegments.mostSegments else {
        throw FileError(.malformed, "has more than \(JPEGSegments.mostSegments) segments", at: at)
      }
      // Some writers record a length a few bytes short; as other readers do, look for the next marker. FF 00 isn't a
      // marker.
      let junk = at
      while true {
        let here = try look(at: at)
        if try window.u8(here) == 0xFF, try window.u8(here + 1) != 0 { break }
        at += 1
        guard at - junk < JPEGSegments.mostJunk else {
          throw FileError(.malformed, "expected a JPEG marker", at: junk)
        }
      }
      let fill = at
      while try window.u8(look(at: at + 1)) == 0xFF {
        at += 1
        guard at - fill < JPEGSegments.mostSegments else {
          throw FileError(.malformed, "too many fill bytes before a JPEG marker", at: fill)
        }
      }
      let here = try look(at: at)
      let marker = try window.u8(here + 1)
      switch marker {
      case 0xDA, 0xD9:
        scan = at
        return
      case 0x01, 0xD0...0xD7: at += 2
      case 0x02...0xBF, 0x00, 0xD8:
        throw FileError(.malformed, "expected a JPEG marker", at: at)
      default:
        let length = Int(try window.u16(here + 2, .big))
        guard length >= 2 else { throw FileError(.malformed, "a JPEG segment has an invalid length", at: at) }
        guard length + 2 <= source.count - at else {
          throw FileError(.truncated, "a JPEG segment extends beyond the end of the file", at: at)
        }
        let body = try window.prefix(at: here + 4, count: min(length - 2, JPEGSegments.headCount - 4))
        if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker), frame == nil, body.count >= 6 {
          frame = Frame(
            precision: try body.u8(0), width: try body.u16(3, .big), height: try body.u16(1, .big),
            components: try body.u8(5),
            sampling: (try? body.u8(7)) ?? 0)
        }
        all.append(
          JPEGSegment(marker: marker, kind: JPEGSegments.kind(marker, body), range: at..<at + 2 + length))
        at += 2 + length
      }
    }
  }

  package subscript(kind: JPEGSegment.Kind) -> JPEGSegment? { all.first { $0.kind == kind } }

  private static func kind(_ marker: UInt8, _ body: Bytes) -> JPEGSegment.Kind {
    switch marker {
    case 0xE0 where body.has(Array("JFIF\0".utf8)) || body.has(Array("JFXX\0".utf8)): .jfif
    case 0xE1 where body.has(Array("Exif\0".utf8)) && body.count >= 6: .exif
    case 0xE1 where body.has(JPEGSegment.xmpHeader): .xmp
    case 0xE1 where body.has(JPEGSegment.extendedXMPHeader): .extendedXMP
    case 0xE1 where ["<?xpacket", "<x:xmpmeta", "<rdf:RDF"].contains { body.firstIndex(of: Array($0.utf8)) != nil }:
      .unknownXMP
    case 0xE2 where body.has(Array("MPF\0".utf8)): .multiPicture
    case 0xE2 where body.has(Array("ICC_PROFILE\0".utf8)): .colorProfile
    case 0xE5 where body.has(Array("RMETA\0".utf8)): .ricoh
    case 0xEB where body.has(Array("JP".utf8)) && body.firstIndex(of: Array("c2pa".utf8)) != nil: .contentCredentials
    case 0xED where body.has(JPEGSegment.photoshopHeader): .photoshop
    default: .other
    }
  }
}

extension JPEGContainer {
  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    let segments = try JPEGSegments(of: source)
    guard let size = layout.pixelSize else {
      throw FileError(.unsupported, "the picture size is not recorded (no SOF marker)")
    }
    // sRGB, unless a profile says something else.
    return CodedPicture(
      bytes: source, coding: .jpeg, size: size, isUpright: false, hasFullChroma: segments.hasFullChroma, primaries: 1,
      transfer: 13, profile: try segments.profile(in: source), losses: try segments.losses(in: source))
  }

  package func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] {
    let own = layout.exifBlocks(of: source).compactMap { block in block.thumbnail.flatMap { try? block.bytes($0) } }
    guard let segments = try? JPEGSegments(of: source), let photoshop = try? JPEGPhotoshop(segments, source) else {
      return own
    }
    return own + photoshop.resources.thumbnails
  }

  package func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var pictures: [Range<Int>] = []
    for range in layout.imageData {
      pictures += try JPEGFurtherImages.images(in: range, of: source) + EmbeddedMovie.movies(in: range, of: source)
    }
    return pictures
  }
}

/// The properties of a JPEG's picture that re-encoding needs, apart from those that the decoder reports.
extension JPEGSegments {
  /// Whether the colour resolution is higher than 4:2:0, by the frame header's sampling factors (ISO/IEC 10918-1,
  /// B.2.2).
  package var hasFullChroma: Bool {
    guard let frame, frame.components == 3 else { return false }
    return frame.sampling != 0x22
  }

  /// Returns the ICC profile (ICC.1:2010, B.4); empty when it is missing or incomplete.
  package func profile(in source: any ByteSource) throws(FileError) -> [UInt8] {
    var parts: [Int: Range<Int>] = [:]
    var count = 0
    for segment in all where segment.kind == .colorProfile && segment.payload.count > 14 {
      let numbers = try source.bytes(at: segment.payload.lowerBound + 12, count: 2)
      count = Int(try numbers.u8(1))
      parts[Int(try numbers.u8(0))] = segment.payload.lowerBound + 14..<segment.payload.upperBound
    }
    var profile: [UInt8] = []
    for number in 0..<count {
      guard let part = parts[number + 1] else { return [] }
      profile += try source.bytes(part).array
    }
    return profile
  }

  /// Returns the features that a file of another format, made from the picture, can't hold.
  package func losses(in source: any ByteSource) throws(FileError) -> [Note] {
    var losses: [Note] = []
    if self[.extendedXMP] != nil { losses.append(Note(.xmpLost, "XMP of more than 64 KB")) }
    if self[.multiPicture] != nil {
      losses.append(Note(.picturesLost, "the additional pictures (MPF), such as a gain map"))
    }
    if let segment = self[.xmp] {
      let packet = try source.bytes(segment.payload)
      let marks = ["MicroVideo=\"1", "MotionPhoto=\"1", "MotionPhoto>1", "MicroVideo>1"]
      if marks.contains(where: { packet.firstIndex(of: Array($0.utf8)) != nil }) {
        losses.append(.movieLost)
      }
    }
    if self[.contentCredentials] != nil { losses.append(Note(.manifestLost, "the C2PA manifest")) }
    return losses
  }
}
