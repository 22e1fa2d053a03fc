/// One value of a movie's metadata: its name, and where it stands.
package struct QuickTimeItem: Hashable, Sendable {
  /// What it is called, in the list that holds it.
  package enum Name: Hashable, Sendable {
    /// In a metadata list with keys (`mdta`, QTFF "Metadata Atoms"): `com.apple.quicktime.location.ISO6709`.
    case key(String)
    /// In user data (QTFF "User Data Atoms", 3GPP TS 26.244 clause 8): `©xyz`, `loci`.
    case userData(String)
    /// In the metadata list of iTunes (`mdir`), or without a key in one with keys: `©day`.
    case itemList(String)
  }

  let name: Name
  /// The movie's own; else that of one of its tracks.
  let isMovie: Bool
  /// The bytes of the value: text, or for `loci` the whole payload.
  let value: Range<Int>
}

/// A header with times: of the movie (`mvhd`), of a track (`tkhd`), of its media (`mdhd`).
package struct QuickTimeHeader: Hashable, Sendable {
  /// Four bytes, or eight in version 1 (ISO/IEC 14496-12, 8.2.2): when it was created.
  package let creation: Range<Int>
  /// Which: `mvhd`.
  package let box: String
}

/// What a movie records in QuickTime's ways: where its values stand.
package struct QuickTimeData: Hashable, Sendable {
  /// In file order.
  package var items: [QuickTimeItem] = []
  /// The movie's first.
  package var headers: [QuickTimeHeader] = []
  /// Whether the movie has, or could be given, a metadata list with keys.
  var takesKeys = true
  /// Something that records positions along the way, which are neither read nor edited: `Insta360's own data at its
  /// end`.
  package var telemetry: String?
  /// The same of tracks, which can be taken out whole: `a DJI telemetry track`.
  package var timedPlaces: [String] = []
  /// The same where the container can erase the positions apart from the rest.
  package var places: String?
  /// Whether a maker's or program's own data tell a date, which are neither read nor edited.
  var holdsAdditionalDate = false
  /// The offset of the camera's clock, which Sony's cameras record beside headers in UTC.
  package var offset: UTCOffset?
  /// What tracks tell, in words, that neither show nor sound.
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

  /// The first thing in it whose positions can't be erased while all tracks stay.
  var unerasable: String? { telemetry ?? timedPlaces.first }

  /// The same when all values have gone.
  package var bare: QuickTimeData { QuickTimeData(headers: headers, additional: additional) }
}

/// Wanted changes to a movie's values.
package struct QuickTimeChanges: Hashable, Sendable {
  /// New bytes for values that are there, or their removal with all that holds them.
  var items: [QuickTimeItem: Change<[UInt8]>] = [:]
  /// New values for the movie, text without header.
  var added: [Addition] = []
  /// Times in headers; of the same length.
  package var times: [Splice] = []
  /// Where all else is erased: the headers' times stay.
  package var keepsTimes = false
  /// Bytes that tell a position that goes: they may not stay in unused space either.
  var erased: [[UInt8]] = []

  /// A value that isn't there yet.
  struct Addition: Hashable, Sendable {
    let name: QuickTimeItem.Name
    let text: [UInt8]
  }

  /// Whether nothing but headers changes.
  var isTimesOnly: Bool { items.isEmpty && added.isEmpty }
  var isEmpty: Bool { isTimesOnly && times.isEmpty }
}
