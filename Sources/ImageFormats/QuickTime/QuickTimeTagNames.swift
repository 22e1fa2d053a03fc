/// Exiftool's names of a movie's values, so that users can look them up and compare.
extension QuickTimeItem.Name {
  /// Returns `Keys:GPSCoordinates`, `UserData:DateTimeOriginal`, `ItemList:Title`.
  ///
  /// - Parameter group: The text before the colon, for values that aren't the movie's own.
  func tagName(in group: String? = nil) -> String {
    switch self {
    case .key(let key): "\(group ?? "Keys"):\(Self.name(ofKey: key))"
    case .userData(let name): "\(group ?? "UserData"):\(Self.userData[name] ?? name)"
    case .itemList(let name): "\(group ?? "ItemList"):\(Self.itemList[name] ?? name)"
    }
  }

  /// Returns a name without Apple's prefix, as capitalized words: `camera.lens_model` becomes `CameraLensModel`.
  private static func name(ofKey key: String) -> String {
    if let name = keys[key] { return name }
    let prefix = ["com.apple.quicktime.", "com."].first { key.hasPrefix($0) } ?? ""
    let words = key.dropFirst(prefix.count).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.isEmpty ? key : name
  }

  private static let keys = [
    "com.apple.quicktime.location.ISO6709": "GPSCoordinates", "com.apple.quicktime.creationdate": "CreationDate",
    "com.apple.quicktime.displayname": "DisplayName", "com.apple.quicktime.originalSource": "OriginalSource",
    "com.android.capture.fps": "AndroidCaptureFPS", "com.android.manufacturer": "AndroidMake",
    "com.android.model": "AndroidModel",
  ]

  private static let userData = [
    "©xyz": "GPSCoordinates", "loci": "LocationInformation", "©day": "ContentCreateDate", "date": "DateTimeOriginal",
    "©mak": "Make", "manu": "Make", "@mak": "Make", "©mod": "Model", "modl": "Model", "@mod": "Model",
    "@swr": "SoftwareVersion", "©swr": "SoftwareVersion", "©nam": "Title", "titl": "Title", "©cmt": "Comment",
    "©inf": "Information", "©fmt": "Format", "©cpy": "Copyright", "cprt": "Copyright", "©aut": "Author",
    "auth": "Author", "©ART": "Artist", "perf": "Performer", "©alb": "Album", "albm": "Album", "©des": "Description",
    "dscp": "Description", "©dir": "Director", "©prd": "Producer", "©enc": "EncoderID", "©too": "Encoder",
    "©TIM": "StartTimecode", "©TSC": "StartTimeScale", "©TSZ": "StartTimeSampleSize", "name": "Name", "©gen": "Genre",
    "©com": "Composer", "clfn": "ClipFileName", "WLOC": "WindowLocation", "thmb": "ThumbnailImage",
    "SDLN": "PlayMode", "yrrc": "Year", "gnre": "Genre", "kywd": "Keywords", "rtng": "Rating",
  ]

  private static let itemList = [
    "©xyz": "GPSCoordinates", "©day": "ContentCreateDate", "©nam": "Title", "©ART": "Artist", "aART": "AlbumArtist",
    "©alb": "Album", "©cmt": "Comment", "©too": "Encoder", "©enc": "EncodedBy", "©gen": "Genre", "©wrt": "Composer",
    "©lyr": "Lyrics", "©grp": "Grouping", "©des": "Description", "desc": "Description", "ldes": "LongDescription",
    "cprt": "Copyright", "©cpy": "Copyright", "©mak": "Make", "©mod": "Model", "©swr": "SoftwareVersion",
    "©aut": "Author", "keyw": "Keyword", "covr": "CoverArt", "trkn": "TrackNumber", "disk": "DiskNumber",
    "tmpo": "BeatsPerMinute",
  ]
}
