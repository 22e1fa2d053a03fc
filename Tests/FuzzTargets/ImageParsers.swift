import Basics
import ImageFormats
import MetaTag

extension FuzzTarget {
  /// The format of a target that is a whole picture or movie: one of its container.
  var imageType: ImageType? {
    switch self {
    case .jpeg: .jpeg
    case .tiff: .tiff
    case .heif: .heic
    case .movie: .mov
    case .png: .png
    case .webp: .webp
    case .jxl: .jxl
    case .gif: .gif
    case .xmp: .xmp
    case .cr3: .cr3
    case .raf: .raf
    case .x3f: .x3f
    case .mrw: .mrw
    case .crw: .crw
    case .jpeg2000: .jp2
    default: nil
    }
  }
}

/// The containers, and the readers and writers of metadata in them.
enum ImageParsers {
  /// Reads everything from a file, edits it in one of several ways, and undoes that, in memory.
  static func run(_ bytes: [UInt8], _ type: ImageType) -> Bool {
    let source = Bytes(bytes)
    guard let head = try? source.prefix(at: 0, count: FileSource.headCount),
      let container = containers.first(where: { $0.type(of: head) != nil }), container.types.contains(type)
    else { return false }
    guard let image = try? ImageSource(bytes: bytes) else { return true }
    readAll(image)
    readAll(container, source)
    // One way of editing at a time is several times as fast.
    switch bytes.reduce(0, { $0 &+ Int($1) }) % 4 {
    case 0: if let new = edited(image, bytes, by: placing) { _ = edited(new.image, new.bytes, by: clearing) }
    case 1: _ = edited(image, bytes, by: naming)
    case 2: _ = edited(image, bytes, by: clearing)
    default: _ = edited(image, bytes, by: erasing)
    }
    return true
  }

  private static func readAll(_ image: ImageSource) {
    _ = image.metadata()
    _ = image.properties
    for index in 0..<min(image.count, 4) { _ = try? image.properties(at: index) }
    _ = try? image.xmpValues()
    for directory in [EXIFDirectory.image, .photo, .gps] {
      for tag in image.exifTags(in: directory).prefix(64) { _ = image.exifValue(ofTag: tag, in: directory) }
    }
  }

  private static func readAll(_ container: any Container, _ source: Bytes) {
    guard let layout = try? container.layout(of: source) else { return }
    _ = container.thumbnails(layout, source: source)
    _ = container.previews(layout, source: source)
    _ = try? container.additionalPictures(layout, source: source)
    _ = try? container.codedPicture(layout, source: source)
    _ = try? container.textFields(of: source)
  }

  /// Returns the photo after an edit, which must be read back and undone exactly; nil if the edit is refused.
  private static func edited(
    _ image: ImageSource, _ old: [UInt8], by edit: MetadataEdit
  ) -> (image: ImageSource, bytes: [UInt8])? {
    guard let patch = try? image.plannedPatch(for: edit) else { return nil }
    do {
      let new = try patch.applied(to: Bytes(old))
      let after = try ImageSource(bytes: new)
      let undone = try patch.inverse(of: Bytes(old)).applied(to: Bytes(new))
      guard undone == old else { fatalError("undoing the edit doesn't give the old bytes") }
      _ = after.metadata()
      return (after, new)
    } catch {
      fatalError("the edited file can't be read: \(error)")
    }
  }

  /// An edit that adds and replaces the location and the dates.
  private static let placing: MetadataEdit = {
    var edit = MetadataEdit()
    edit.location =
      Coordinate(latitude: -33.8568, longitude: 151.2153).map { .set(Location($0, altitude: -12.5)) } ?? .keep
    let time = CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5)
    edit.dates = time.map { .set(CaptureTime($0, offset: UTCOffset(seconds: 20_700))) } ?? .keep
    return edit
  }()

  /// An edit that moves the dates, and adds texts in XMP and IPTC.
  private static let naming: MetadataEdit = {
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 4_980), offset: .keep)
    var names = PlaceNames()
    (names.city, names.country, names.countryCode) = ("Zürich", "Switzerland", "CH")
    edit.names = .set(names)
    edit.addsIPTC = true
    edit.title = .set("A title")
    edit.addedKeywords = ["one", "two"]
    return edit
  }()

  private static let clearing: MetadataEdit = {
    var edit = MetadataEdit()
    edit.location = .remove
    edit.erasesDates = true
    edit.dropsTimedPlaces = true
    edit.endsReconstruction = true
    return edit
  }()

  private static let erasing: MetadataEdit = {
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    edit.endsReconstruction = true
    return edit
  }()
}

extension ImageParsers {
  /// A JPEG file of eight by eight pixels whose only metadata are `block`.
  static func picture(with block: [UInt8], _ target: FuzzTarget) -> [UInt8] {
    let block = Array(block.prefix(60_000))
    let payload: [UInt8]
    switch target {
    case .exif: payload = Array("Exif\0\0".utf8) + block
    case .packet: payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + block
    default:
      let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + UInt32(block.count).bytes(.big) + block
      payload = Array("Photoshop 3.0\0".utf8) + resource + (block.count % 2 == 0 ? [] : [0])
    }
    let segment = [0xFF, target == .iptc ? 0xED : 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34]
    return [0xFF, 0xD8] + segment + frame + scan + [0xFF, 0xD9]
  }

  /// A PNG file whose chunks have the right checksums, which hardly any changed bytes would have.
  static func withCheckSums(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, at) = (bytes, 8)
    while at + 12 <= bytes.count {
      let count = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard count <= bytes.count - at - 12 else { break }
      let sum = checkSum(bytes[at + 4..<at + 8 + count])
      bytes.replaceSubrange(at + 8 + count..<at + 12 + count, with: sum.bytes(.big))
      at += 12 + count
    }
    return bytes
  }

  /// The CRC-32 of PNG, zlib and the gazetteer.
  static func checkSum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes { sum = sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return ~sum
  }

  private static let remainders: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }
}
