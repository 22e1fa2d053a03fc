/// One value of a movie's metadata: its name and its position.
package struct QuickTimeItem: Hashable, Sendable {
  /// A name in the list that holds the value.
  package enum Name: Hashable, Sendable {
    /// A key in a metadata list with keys (`mdta`, QTFF "Metadata Atoms"): `com.apple.quicktime.location.ISO6709`.
    case key(String)
    /// A box in user data (QTFF "User Data Atoms", 3GPP TS 26.244 clause 8): `©xyz`, `loci`.
    case userData(String)
    /// An item in the metadata list of iTunes (`mdir`), or without a key in one with keys: `©day`.
    case itemList(String)
  }

  let name: Name
  /// Whether the value belongs to the movie itself, not to one of its tracks.
  let isMovie: Bool
  /// The bytes of the value: text, or for `loci` the whole payload.
  let value: Range<Int>
}

/// A header with times: of the movie (`mvhd`), of a track (`tkhd`), of its media (`mdhd`).
package struct QuickTimeHeader: Hashable, Sendable {
  /// The field with the time of creation: four bytes, or eight in version 1 (ISO/IEC 14496-12, 8.2.2).
  package let creation: Range<Int>
  /// The name of the box: `mvhd`.
  package let box: String
}

/// The positions of a movie's QuickTime metadata.
package struct QuickTimeData: Hashable, Sendable {
  /// The values, in file order.
  package var items: [QuickTimeItem] = []
  /// The headers, the movie's first.
  package var headers: [QuickTimeHeader] = []
  /// Whether the movie has, or could be given, a metadata list with keys.
  var takesKeys = true
  /// A source of positions along the way that are neither read nor edited: `an Insta360 trailer`.
  package var telemetry: String?
  /// Tracks with positions along the way that can be removed whole: `a DJI telemetry track`.
  package var timedPlaces: [String] = []
  /// A source of positions along the way that the container can erase separately.
  package var places: String?
  /// Whether a maker's or program's own data, which is neither read nor edited, records a date.
  var holdsAdditionalDate = false
  /// The offset of the camera's clock, which Sony's cameras record next to headers in UTC.
  package var offset: UTCOffset?
  /// The contents, in words, of tracks without picture or sound.
  package var additional: [String] = []

  package init(
    items: [QuickTimeItem] = [], headers: [QuickTimeHeader] = [], takesKeys: Bool = true, telemetry: String? = nil,
    timedPlaces: [String] = [], places: String? = nil, holdsAdditionalDate: Bool = false, offset: UTCOffset? = nil,
    additional: [String] = []
  ) {
    self.items = items
    self.headers = headers
    self.takesKeys = takesKeys
    self.telemetry = telemetry
    self.timedPlaces = timedPlaces
    self.places = places
    self.holdsAdditionalDate = holdsAdditionalDate
    self.offset = offset
    self.additional = additional
  }

  /// The first source of positions that can't be erased while all tracks stay.
  var unerasable: String? { telemetry ?? timedPlaces.first }

  /// The data without any values.
  package var bare: QuickTimeData { QuickTimeData(headers: headers, additional: additional) }
}

/// Wanted changes to a movie's values.
package struct QuickTimeChanges: Hashable, Sendable {
  /// New bytes for existing values, or their removal with the boxes that hold them.
  var items: [QuickTimeItem: Change<[UInt8]>] = [:]
  /// New values for the movie, as text without a header.
  var added: [Addition] = []
  /// Splices for times in headers, at the same length.
  package var times: [Splice] = []
  /// Whether the headers' times stay when everything else is erased.
  package var keepsTimes = false
  /// The bytes of erased positions, which must not stay in unused space either.
  var erased: [[UInt8]] = []

  /// A value to add.
  struct Addition: Hashable, Sendable {
    let name: QuickTimeItem.Name
    let text: [UInt8]
  }

  /// Whether only headers change.
  var isTimesOnly: Bool { items.isEmpty && added.isEmpty }
  var isEmpty: Bool { isTimesOnly && times.isEmpty }
}

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
