/// Wanted changes to the metadata blocks of one file. Nil or empty means that the block stays as it is.
package struct BlockChanges: Sendable {
  /// Tags to set or remove in the EXIF block.
  package var exif = TIFFChanges()
  /// Tag changes for `Layout.additionalEXIF`, by index.
  package var additionalEXIF: [Int: TIFFChanges] = [:]
  /// The new XMP packet (any length; the container makes it fit).
  package var xmp: [UInt8]?
  /// New packets for `Layout.additionalXMP`, by index.
  package var additionalXMP: [Int: [UInt8]] = [:]
  /// The new IIM datasets.
  package var iptc: [UInt8]?
  /// New datasets for `Layout.additionalIPTC`, by index.
  package var additionalIPTC: [Int: [UInt8]] = [:]
  /// QuickTime values of a movie to set or remove.
  package var quickTime = QuickTimeChanges()
  /// Splices for the time number that a phone appends to the picture.
  package var stamps: [Splice] = []
  /// Notes on what could not be written as requested.
  package var notes: [String] = []
  /// Whether to erase positions also where nothing refers to them any more.
  package var erasesPlaces = false
  /// Whether to erase dates also outside of all metadata blocks.
  package var erasesDates = false
  /// Whether to erase everything except what the picture needs to display correctly, and what `exif` sets.
  package var erasesAll = false
  /// Whether to remove whole tracks of a movie that record places along the way.
  package var dropsTimedPlaces = false
  /// Whether a JPEG XL file may lose the data that rebuilds its JPEG.
  package var endsReconstruction = false

  package init(
    exif: TIFFChanges = TIFFChanges(), additionalEXIF: [Int: TIFFChanges] = [:], xmp: [UInt8]? = nil,
    additionalXMP: [Int: [UInt8]] = [:], iptc: [UInt8]? = nil, additionalIPTC: [Int: [UInt8]] = [:],
    quickTime: QuickTimeChanges = QuickTimeChanges(), stamps: [Splice] = [], notes: [String] = [],
    erasesPlaces: Bool = false, erasesDates: Bool = false, erasesAll: Bool = false, dropsTimedPlaces: Bool = false,
    endsReconstruction: Bool = false
  ) {
    self.exif = exif
    self.additionalEXIF = additionalEXIF
    self.xmp = xmp
    self.additionalXMP = additionalXMP
    self.iptc = iptc
    self.additionalIPTC = additionalIPTC
    self.quickTime = quickTime
    self.stamps = stamps
    self.notes = notes
    self.erasesPlaces = erasesPlaces
    self.erasesDates = erasesDates
    self.erasesAll = erasesAll
    self.dropsTimedPlaces = dropsTimedPlaces
    self.endsReconstruction = endsReconstruction
  }

  /// Whether an unreadable block may contain something that is to be erased.
  package var mustReadAll: Bool { erasesPlaces || erasesDates }
  /// The kind of data to be erased, in words.
  package var erased: String { erasesPlaces ? "a place" : "a date" }

  /// The edit that erases the data in every block.
  package var erasing: MetadataEdit {
    var edit = MetadataEdit()
    if erasesPlaces { edit.location = .remove }
    edit.erasesDates = erasesDates
    return edit
  }

  /// Keeps a GPS directory that holds no position.
  package mutating func leaveGPS() {
    exif.removesGPS = false
    for index in additionalEXIF.keys { additionalEXIF[index]?.removesGPS = false }
    additionalEXIF = additionalEXIF.filter { !$0.value.isEmpty }
  }

  /// Whether no block changes.
  package var isEmpty: Bool {
    exif.isEmpty && additionalEXIF.isEmpty && xmp == nil && additionalXMP.isEmpty && iptc == nil
      && additionalIPTC.isEmpty
      && quickTime.isEmpty && stamps.isEmpty
  }
}
