/// The top-level boxes of a movie file.
package struct MovieFile: Sendable {
  private(set) var boxes: [Box] = []
  /// The first box with the movie's structure and metadata.
  let moov: Box
  /// The bytes after the last box that are no box: some cameras put their own data there, located from the file's end.
  let trailer: Range<Int>

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
      guard boxes.count < 65_536 else { throw FileError(.malformed, "has more than 65536 boxes side by side", at: at) }
      boxes.append(box)
      at = box.range.upperBound
    }
    trailer = at..<source.count
    guard let moov = boxes.first(where: { $0.type == "moov" }) else {
      throw FileError(.truncated, "has no moov box: the movie is cut, or was never finished", at: source.count)
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
