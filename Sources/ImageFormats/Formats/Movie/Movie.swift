/// QuickTime movies (Apple's QTFF), MPEG-4 and 3GPP files (ISO/IEC 14496-12, -14; 3GPP TS 26.244).
///
/// Media data never moves, so no table of offsets (`stco`, `co64`, `saio`, a GoPro's `gps `) has to change. Only the
/// `moov` box grows: into unused space after it, or freely at the end of the file. If media data follows it, it is
/// rewritten at the end of the file and its old place becomes unused space.
struct MovieContainer: Container {
  let types: [ImageType] = [.mov, .mp4, .m4v, .threeGP]
  let addableBlocks: Set<Namespace> = [.quickTime, .xmp]

  /// Brands (ISO/IEC 14496-12, 4.3; registered at mp4ra.org) that begin movies. HEIF and AVIF have brands of their own.
  private static let brands: [FourCC: ImageType] = [
    "qt  ": .mov, "mp41": .mp4, "mp42": .mp4, "isom": .mp4, "iso2": .mp4, "iso3": .mp4, "iso4": .mp4, "iso5": .mp4,
    "iso6": .mp4, "iso7": .mp4, "iso8": .mp4, "iso9": .mp4, "avc1": .mp4, "dash": .mp4, "MSNV": .mp4, "XAVC": .mp4,
    "mmp4": .mp4, "mp71": .mp4, "M4V ": .m4v, "M4VH": .m4v, "M4VP": .m4v,
  ]
  private static let stillBrands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "crx ", "jxl ", "jp2 ",
  ]
  /// The first boxes of QuickTime files without brands.
  private static let firstBoxes: Set<FourCC> = ["moov", "mdat", "wide", "free", "skip", "pnot"]

  func type(of head: Bytes) -> ImageType? {
    guard let size = try? head.u32(0, .big), let type = try? head.u32(4, .big) else { return nil }
    guard FourCC(rawValue: type) == "ftyp" else {
      return MovieContainer.firstBoxes.contains(FourCC(rawValue: type)) && (size >= 8 || size <= 1) ? .mov : nil
    }
    var brands = stride(from: 16, to: min(Int(size), head.count) - 3, by: 4)
      .compactMap { try? head.u32($0, .big) }.map(FourCC.init(rawValue:))
    if let major = try? head.u32(8, .big) { brands.insert(FourCC(rawValue: major), at: 0) }
    guard let major = brands.first, !MovieContainer.stillBrands.contains(major) else { return nil }
    return brands.lazy.compactMap { MovieContainer.type(of: $0) }.first
  }

  private static func type(of brand: FourCC) -> ImageType? {
    // 3gp4, 3gp5, 3g2a, …
    brand.bytes.starts(with: "3g".utf8) ? .threeGP : brands[brand]
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try MovieFile(of: source)
    let movie = try MovieBox(in: file, of: source)
    var layout = Layout()
    layout.add(.quickTime(movie.data), at: file.moov.range)
    if let packet = movie.packet { layout.add(.xmp, at: packet) }
    layout.imageData = file.boxes.filter { $0.type == "mdat" }.map(\.payload).filter { !$0.isEmpty }
    if let damage = movie.damage {
      layout.notes.append(Note(.invalidBlock, "some of its metadata can't be parsed and stays as it is: \(damage)"))
    }
    if movie.isFragmented {
      layout.notes.append(
        Note(.fixedLengths, "fragmented MP4: values can be removed, or replaced by ones of equal length"))
    }
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try MovieFile(of: source)
    let movie = try MovieBox(in: file, of: source)
    if changes.erasesAll {
      var erasing = try MovieErasing(file, movie, source)
      return try erasing.patch(setting: changes.quickTime)
    }
    let newPacket = movie.packet == nil ? changes.xmp : nil
    if let damage = movie.damage, !changes.quickTime.isTimesOnly || newPacket != nil { throw damage }
    let timed = changes.dropsTimedPlaces ? try TimedPlaces(in: movie, of: file, source) : nil
    let isQuickTime = try type(of: source.prefix(at: 0, count: FileSource.headCount)) == .mov
    var edit = MovieEdit(movie, source)
    try edit.apply(timed?.leaving(changes.quickTime) ?? changes.quickTime, adding: isQuickTime ? newPacket : nil)
    var outer: [Splice] = []
    if let packet = changes.xmp, let old = movie.packet, try source.bytes(old).array != packet {
      if let uuid = movie.packetBox {
        outer = try MovieSpace(file, source, movie, erases: changes.mustReadAll).fit(
          uuid, try MovieEdit.splices(packet, old, in: uuid))
      } else {
        edit.replacePacket(packet)
      }
    }
    let places = changes.erasesPlaces ? try MoviePlaces(in: movie, of: file, source) : MoviePlaces()
    var inner = try edit.splices() + places.inner + (timed?.inner ?? [])
    var remains: [Splice] = []
    if changes.mustReadAll || !changes.quickTime.erased.isEmpty {
      let found = try MovieUnusedSpace(of: changes.quickTime.erased, in: movie, of: file, source)
      inner += found.inner.filter { erasure in !inner.contains { $0.range.overlaps(erasure.range) } }
      remains = found.outer
    }
    let space = MovieSpace(file, source, movie, erases: changes.mustReadAll)
    var splices = try space.place(inner, beside: remains)
    splices += remains.flatMap { $0.without(splices + outer) }
    let erased = places.media + (timed?.media ?? [])
    splices += outer + erased
    // XMP is in QuickTime's user data; in MPEG-4 it has its own box (ISO 16684-3, 2.1.2.2).
    if let newPacket, !isQuickTime { splices += try space.added(MovieBox.box(holding: newPacket), beside: splices) }
    let media = layout.imageData.excluding(erased.map(\.range))
    return try Patch(splices, to: source.count, imageData: media)
  }
}

extension Splice {
  /// Returns the parts of an erasure that `others` don't write, so that no byte is written twice.
  fileprivate func without(_ others: [Splice]) -> [Splice] {
    [range].excluding(others.map(\.range).filter { $0.overlaps(range) }).map(Splice.erasing)
  }
}

/// The top-level boxes of a movie file.
package struct MovieFile: Sendable {
  private(set) var boxes: [Box] = []
  /// The first box with the movie's structure and metadata.
  let moov: Box
  /// The bytes after the last box that are no box: some cameras put their own data there, located from the file's end.
  let trailer: Range<Int>

  /// Finds the boxes of the file, down to those of `moov`.
  /// - Throws: `.truncated` when a box is longer than the file or the movie was never finished.
  init(of source: any ByteSource) throws(FileError) {
    var at = 0
    while at <= source.count - 8 {
      let box: Box
      do throws(FileError) {
        box = try source.box(at: at, before: source.count)
        if box.type.rawValue == 0 { break }
      } catch {
        let type = try source.prefix(at: at + 4, count: 4).array
        guard at > 0, !type.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw error }
        break
      }
      guard boxes.count < 65_536 else { throw FileError(.malformed, "has more than 65536 boxes at one level", at: at) }
      boxes.append(box)
      at = box.range.upperBound
    }
    trailer = at..<source.count
    guard let moov = boxes.first(where: { $0.type == "moov" }) else {
      throw FileError(.truncated, "has no moov box: the movie is truncated or was never finalized", at: source.count)
    }
    self.moov = moov
  }

  /// Returns the range of unused boxes that follow `box` directly.
  func unused(behind box: Box) -> Range<Int> {
    var range = box.range.upperBound..<box.range.upperBound
    for next in boxes where next.range.lowerBound == range.upperBound && next.isUnused && next.headerCount == 8 {
      guard next.range.upperBound - range.lowerBound <= Int(UInt32.max) else { break }
      range = range.lowerBound..<next.range.upperBound
    }
    return range
  }
}

extension Box {
  /// Whether the box is free space (ISO/IEC 14496-12, 8.1.2). `wide` isn't: it is reserved for a 64-bit size.
  var isUnused: Bool { type == "free" || type == "skip" }
}

extension ByteSource {
  /// Returns the boxes in a box. A box without a size is allowed only at the top level of a file; here it closes the
  /// list, like four zeros in QuickTime's user data.
  func closedBoxes(in range: Range<Int>) throws(FileError) -> [Box] { try boxes(in: range).filter { !$0.isOpen } }
}

/// Boxes that a movie needs for playing (ISO/IEC 14496-12; Apple's QTFF). Any other box may describe it.
enum MovieStructure {
  /// The permitted boxes at the top level of a file, and in each box whose content is checked.
  static let top: Set<FourCC> = [
    "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "pdin", "wide", "free", "skip",
  ]
  static let inside: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "trak", "mvex", "iods", "ctab", "clip", "pssh"],
    "trak": ["tkhd", "edts", "tref", "mdia", "tapt", "clip", "matt", "load", "imap", "trgr", "ttyp"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["vmhd", "smhd", "nmhd", "gmhd", "hdlr", "dinf", "stbl"],
    "dinf": ["dref"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stsh", "stps", "stsz", "stz2", "stsc", "stco", "co64", "sdtp", "stdp",
      "padb",
      "sbgp", "csgp", "sgpd", "subs", "saiz", "saio",
    ],
    "moof": ["mfhd", "traf", "pssh"],
    "traf": ["tfhd", "tfdt", "trun", "sbgp", "csgp", "sgpd", "subs", "saiz", "saio", "senc"],
  ]
  /// Boxes in which an unknown box may be needed all the same.
  static let strict: Set<FourCC> = ["stbl", "moof", "traf"]

  /// The fields of a sample description with its maker and the coder's name, and its length before its boxes.
  static let soundFields = (makers: [12..<16], count: 28)
  static let pictureFields = (makers: [12..<16, 42..<74], count: 78)
  /// Boxes in it that begin with a maker (3GPP TS 26.244, 6.7 and following).
  static let madeBy: Set<FourCC> = ["damr", "d263", "dawp", "dqcp", "devc", "dsmv"]

  /// The kinds of tracks with picture or sound.
  static let handlers: Set<FourCC> = ["vide", "auxv", "pict", "soun"]
  /// The kinds of tracks that record something along the way, with descriptions. Any other kind may be seen or heard.
  static let recorded: [FourCC: String] = [
    "meta": "metadata", "camm": "camera motion", "data": "data", "fdsc": "data", "tmcd": "time code", "hint": "hints",
    "text": "text", "sbtl": "subtitles", "subt": "subtitles", "clcp": "closed captions",
    // MPEG-4 Systems (ISO/IEC 14496-14, 3.1.3), which players of files don't need.
    "odsm": "descriptors", "sdsm": "scenes", "ocsm": "descriptors", "crsm": "clocks", "m7sm": "metadata",
    "ipsm": "rights", "mjsm": "programs",
  ]
  /// Timed metadata that affects how the movie is shown.
  static let timedKeys: Set<String> = [
    "com.apple.quicktime.video-orientation", "com.apple.quicktime.still-image-time",
  ]
}
