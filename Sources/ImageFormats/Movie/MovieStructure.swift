/// Boxes that a movie can't be played without (ISO/IEC 14496-12; Apple's QTFF). What isn't here may describe it.
enum MovieStructure {
  /// At the top of the file, and in each box whose content is looked at.
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
  /// Where something unknown may be needed all the same.
  static let strict: Set<FourCC> = ["stbl", "moof", "traf"]

  /// Of a sample description, where its maker and the coder's name stand, and how long it is before its boxes.
  static let soundFields = (makers: [12..<16], count: 28)
  static let pictureFields = (makers: [12..<16, 42..<74], count: 78)
  /// Boxes of it that begin with a maker (3GPP TS 26.244, 6.7 and following).
  static let madeBy: Set<FourCC> = ["damr", "d263", "dawp", "dqcp", "devc", "dsmv"]

  /// Kinds of tracks that show and sound.
  static let handlers: Set<FourCC> = ["vide", "auxv", "pict", "soun"]
  /// Kinds that tell something along the way, and what. Any other may be something that is seen or heard.
  static let recorded: [FourCC: String] = [
    "meta": "metadata", "camm": "camera motion", "data": "data", "fdsc": "data", "tmcd": "time code", "hint": "hints",
    "text": "text", "sbtl": "subtitles", "subt": "subtitles", "clcp": "closed captions",
    // MPEG-4 Systems (ISO/IEC 14496-14, 3.1.3): what players of files don't ask for.
    "odsm": "descriptors", "sdsm": "scenes", "ocsm": "descriptors", "crsm": "clocks", "m7sm": "metadata",
    "ipsm": "rights", "mjsm": "programs",
  ]
  /// Timed metadata that say how to show the movie.
  static let timedKeys: Set<String> = [
    "com.apple.quicktime.video-orientation", "com.apple.quicktime.still-image-time",
  ]
}
