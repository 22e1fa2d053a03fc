@testable import MetaTag

/// Made-up raw files, only as realistic as ExifTool's readers require, and almost without a picture.
enum RawSample {
  private static let camera: [UInt16: TIFFValue] = [0x010F: .ascii("A maker"), 0x0110: .ascii("R0")]
  private static let pixels = [UInt8](repeating: 0xAB, count: 64)
  private static let date = "2024:05:23 18:38:41"
  private static let seconds: UInt32 = 1_716_489_521

  /// A TIFF with one strip after all directories, whose offset `place` receives.
  private static func tiff(
    _ ifd0: [UInt16: TIFFValue], order: Bytes.Order = .little, gps: [UInt16: TIFFValue] = [:], magic: UInt16 = 42,
    lead: [UInt8] = [], place: UInt16 = 0x0111, pixels: Int = 64
  ) -> Bytes {
    var ifd0 = ifd0
    func block() -> [UInt8] {
      Sample.tiff(order, ifd0: ifd0, exif: Sample.cameraDates, gps: gps, magic: magic, lead: lead)
    }
    ifd0[place] = .long([0])
    ifd0[place] = .long([UInt32(block().count)])
    // Even, as in files of cameras, so that appended data begins at an even offset.
    let count = block().count
    return Bytes(block() + [UInt8](repeating: 0xAB, count: pixels + (count + pixels) % 2))
  }

  private static func strip(_ compression: UInt16, _ count: Int = 64) -> [UInt16: TIFFValue] {
    [
      0x0100: .short([640]), 0x0101: .short([480]), 0x0103: .short([compression]), 0x0106: .short([32_803]),
      0x0117: .long([UInt32(count)]),
    ]
  }

  /// Nikon, with the date that TIFF/EP requires in IFD0.
  static func nef(pixels: Int = 64) -> Bytes {
    let own: [UInt16: TIFFValue] = [0x010F: .ascii("NIKON CORPORATION"), 0x9003: .ascii(date)]
    return tiff(strip(34_713, pixels).merging(own) { $1 }, order: .big, pixels: pixels)
  }

  /// Canon, whose header is eight bytes longer.
  static func cr2(gps: [UInt16: TIFFValue] = [:]) -> Bytes {
    tiff(strip(6).merging(camera) { $1 }, gps: gps, lead: Array("CR".utf8) + [2, 0, 0, 0, 0, 0])
  }

  static func orf(_ order: Bytes.Order) -> Bytes { tiff(strip(1).merging(camera) { $1 }, order: order, magic: 0x4F52) }

  /// Panasonic, with a JPEG that repeats all values.
  static func rw2(gps: [UInt16: TIFFValue] = [:], segments: [UInt8] = []) -> Bytes {
    rw2(gps: gps, preview: Sample.exif(Sample.tiff(ifd0: camera, exif: Sample.cameraDates, gps: gps)) + segments)
  }

  /// Panasonic, with a JPEG of these segments.
  static func rw2(gps: [UInt16: TIFFValue] = [:], preview: [UInt8]) -> Bytes {
    let jpeg = Sample.jpeg(preview).array
    let own: [UInt16: TIFFValue] = [
      0x02: .short([660]), 0x03: .short([500]), 0x04: .short([10]), 0x05: .short([8]), 0x06: .short([490]),
      0x07: .short([648]), 0x2E: .undefined(jpeg), 0x0111: .long([0xFFFF_FFFF]), 0x0117: .long([660_000]),
    ]
    return tiff(camera.merging(own) { $1 }, gps: gps, magic: 0x55, place: 0x0118)
  }

  private static let jpeg = Sample.jpeg(Sample.exif(Sample.tiff(ifd0: camera, exif: Sample.cameraDates))).array

  static func raf() -> Bytes {
    let records =
      UInt32(1).bytes(.big) + UInt16(0x111).bytes(.big) + UInt16(4).bytes(.big) + UInt16(480).bytes(.big)
      + UInt16(640).bytes(.big)
    let start = 148
    let head = Array("FUJIFILMCCD-RAW 0201FF000000R0".utf8)
    let offsets = [start, jpeg.count, start + jpeg.count, records.count].flatMap { UInt32($0).bytes(.big) }
    return Bytes(
      head + zeros(84 - head.count) + offsets + zeros(start - 100) + jpeg + records + pixels)
  }

  static func mrw(adding tags: [UInt16: TIFFValue] = [:]) -> Bytes {
    func block(_ name: String, _ payload: [UInt8]) -> [UInt8] {
      [0] + Array(name.utf8) + UInt32(payload.count).bytes(.big) + payload
    }
    let sizes = zeros(8) + [490, 660, 480, 640].flatMap { UInt16($0).bytes(.big) } + zeros(8)
    let exif = Sample.tiff(.big, ifd0: camera.merging(tags) { $1 }, exif: Sample.cameraDates)
    let content = block("PRD", sizes) + block("TTW", exif)
    return Bytes(Array("\0MRM".utf8) + UInt32(content.count).bytes(.big) + content + pixels)
  }

  static func x3f(hasJPEG: Bool) -> Bytes {
    var file = Array("FOVb".utf8) + UInt32(0x0002_0000).bytes(.little) + zeros(20)
    file += UInt32(640).bytes(.little) + UInt32(480).bytes(.little) + zeros(4)
    let picture =
      ["SECi"].flatMap { Array($0.utf8) } + [0x20000, 2, 0x12, 640, 480, 0].flatMap { UInt32($0).bytes(.little) }
    var table: [UInt8] = []
    func add(_ name: String, _ section: [UInt8]) {
      table += UInt32(file.count).bytes(.little) + UInt32(section.count).bytes(.little) + Array(name.utf8)
      file += section + zeros(section.count % 2)
    }
    if hasJPEG { add("IMA2", picture + jpeg) }
    add("PROP", properties(["CAMMANUF": "A maker", "CAMMODEL": "R0", "TIME": "\(seconds)"]))
    let count = UInt32(table.count / 12)
    let directory = Array("SECd".utf8) + UInt32(0x20000).bytes(.little) + count.bytes(.little) + table
    return Bytes(file + directory + UInt32(file.count).bytes(.little))
  }

  private static func properties(_ pairs: [String: String]) -> [UInt8] {
    var (table, text): ([UInt8], [UInt16]) = ([], [])
    for word in pairs.sorted(by: { $0.key < $1.key }).flatMap({ [$0.key, $0.value] }) {
      table += UInt32(text.count).bytes(.little)
      text += Array(word.utf16) + [0]
    }
    let numbers = [0x20000, UInt32(pairs.count), 0, 0, UInt32(text.count)].flatMap { $0.bytes(.little) }
    return Array("SECp".utf8) + numbers + table + text.flatMap { $0.bytes(.little) }
  }

  /// The data that Canon's program appends, with XMP.
  static func vrd(_ packet: [UInt8]) -> [UInt8] {
    let name = Array("CANON OPTIONAL DATA\0".utf8)
    func block(_ kind: UInt32, _ data: [UInt8]) -> [UInt8] { kind.bytes(.big) + UInt32(data.count).bytes(.big) + data }
    let blocks = block(0xFFFF_00F4, zeros(626)) + block(0xFFFF_00F6, packet)
    let count = UInt32(blocks.count).bytes(.big)
    return name + [0, 1, 0, 0] + count + blocks + name + count + zeros(38) + [0xFF, 0xD9]
  }

  /// Returns a CRW.
  /// - Parameter appended: The bytes between the records and the four bytes with their directory's offset.
  static func crw(appended: [UInt8] = []) -> Bytes {
    func heap(_ records: [(UInt16, [UInt8])]) -> [UInt8] {
      var (data, table): ([UInt8], [UInt8]) = ([], UInt16(records.count).bytes(.little))
      for (tag, value) in records {
        table += tag.bytes(.little) + UInt32(value.count).bytes(.little) + UInt32(data.count).bytes(.little)
        data += value
      }
      return data + table + UInt32(data.count).bytes(.little)
    }
    let size = [640, 480, 0, 0, 8, 24, 257].flatMap { UInt32($0).bytes(.little) }
    let properties = heap([
      (0x1810, size), (0x180E, seconds.bytes(.little) + zeros(8)),
      (0x2807, heap([(0x080A, Array("A maker\0R0\0".utf8))])),
    ])
    let content = heap([(0x2005, pixels), (0x2007, jpeg), (0x300A, properties)])
    let tail = appended.dropLast(4) + content.suffix(4)
    return Bytes(
      [0x49, 0x49] + UInt32(26).bytes(.little) + Array("HEAPCCDR".utf8) + zeros(12) + content.dropLast(4) + tail)
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
