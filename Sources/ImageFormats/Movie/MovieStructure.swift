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
