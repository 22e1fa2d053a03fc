/// A file format: where metadata and image data lie in it, and how a change to the metadata becomes splices.
///
/// A container is a pure function of bytes. It writes no file.
package protocol Container: Sendable {
  /// Which formats it reads.
  var types: [ImageType] { get }

  /// The format of a file that begins with `head` (at least 32 bytes where the file has them), or nil.
  func type(of head: Bytes) -> ImageType?

  /// Walks the file's structure, not its values.
  func layout(of source: any ByteSource) throws(FileError) -> Layout

  /// The splices that put `changes` into the file. An empty patch when every changed value is already there.
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch

  /// What `changes` come to in the EXIF block, for whoever reads that afterwards.
  func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges
}

extension Container {
  package func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges {
    changes.exif
  }
}

/// Where a file keeps what.
package struct Layout: Sendable {
  /// The format, where only the whole structure tells it; nil: what the file's head says.
  package var type: ImageType?
  /// Offset of the EXIF TIFF header (`II` or `MM`) in the file, and the bytes that belong to the TIFF block.
  /// In a TIFF file, the whole file.
  package var exif: Range<Int>?
  /// Further EXIF blocks that describe the same picture (the other eye of a stereo pair): changed as the first is.
  package var additionalEXIF: [Range<Int>] = []
  /// The XMP packet, from its first byte to its last, padding included.
  package var xmp: Range<Int>?
  /// Further packets that describe the same picture.
  package var additionalXMP: [Range<Int>] = []
  /// The IPTC IIM datasets (what 8BIM 0x0404 or TIFF tag 33723 holds).
  package var iptc: Range<Int>?
  /// Further IIM datasets that describe the same picture.
  package var additionalIPTC: [Range<Int>] = []
  /// Directories that stand each in a TIFF structure of its own (CR3), IFD0's always; `exif` is nil then.
  package var exifDirectories: [IFD: Range<Int>] = [:]
  /// What a movie records in QuickTime's ways.
  package var quickTime: QuickTimeData?
  /// Headers with times in a picture's boxes, which follow its date.
  package var headers: [QuickTimeHeader] = []
  /// Where Canon's timed metadata say when the picture was taken: eight bytes, from the year to the hundredths.
  package var timeStamps: [Range<Int>] = []
  /// Where the block ends that a phone of Samsung's may have appended.
  package var phoneEnd: Int?
  /// What may tell dates in ways of its own, and stays where dates are erased, in words: "its maker's note".
  package var opaque: [String] = []
  /// What may name a place in ways of its own, and stays where places are erased.
  package var opaqueToPlaces: [String] = []
  /// What records a position that no edit changes, only erases, in words: "FLIR's thermal data".
  package var placesAside: [String] = []
  /// How the container turns the picture, as EXIF orientation, where its word counts and EXIF's doesn't.
  package var orientation: Int?
  /// Bytes that hold pixels (and trailers, and other images): no splice may cut into one. In file order.
  package var imageData: [Range<Int>] = []
  /// JPEG files in the file that show its picture.
  package var previews: [Range<Int>] = []
  /// Size of the main image, when the structure tells it.
  package var pixelSize: PixelSize?
  /// XMP that is neither read nor edited: further packets, and the parts of an extended one.
  package var unreadXMP: [Range<Int>] = []
  /// C2PA manifests: what somebody claims of the picture, with a signature. They are neither read nor edited.
  package var manifests: [Range<Int>] = []
  /// A place that can't be edited: what holds it, and where.
  package var hiddenPlace: (holder: String, offset: Int)?
  /// The same of what may tell a date.
  package var hiddenDate: (holder: String, offset: Int)?
  /// Why there is a position that isn't read.
  package var unreadPlace: String?
  /// Where the file's own structure ends: what stands behind it is neither read nor edited.
  package var trailer: Int?
  /// What doesn't follow the rest, and may tell a place or a date.
  package var unedited: [Unedited] = []
  /// The format has no place for EXIF: XMP states place and time, and is made where there is none.
  package var hasOnlyXMP = false
  /// The kind of raw file it is, in its owner's words ("Nikon NEF"); nil for every other picture.
  package var rawKind: String?
  /// What can't be changed in the file itself has to stand beside it, in a sidecar.
  package var isSidecarOnly = false
  /// It can give back the JPEG it was made from, bit by bit.
  package var rebuildsJPEG = false
  /// Times that programs write in texts of the format's own, with their keywords, as they are written.
  package var statedTimes: [(keyword: String, text: String)] = []
  /// What to tell when a block is added that the file lacks.
  package var additionNotice: String?
  /// What a reader should know: a manifest an edit breaks, a second Exif block.
  package var notes: [String] = []
  /// What the file holds packed (compressed, or spelled as text), unpacked. Ranges that begin at the file's end or
  /// behind it lie here.
  package private(set) var unpacked: [UInt8] = []
}

/// Something in a file that doesn't follow when a place or a date changes.
package struct Unedited: Sendable {
  /// What it is, in words: "IPTC data of ImageMagick's".
  package let holder: String
  package let offset: Int
  /// What helps whoever wants it gone; nil: what erases the rest erases it too.
  package let remedy: String?
  /// It goes with what gives back the JPEG that the picture was.
  package var isReconstruction = false

  /// Photoshop's resources that break the rules.
  static func unreadPhotoshop(at offset: Int) -> Unedited {
    Unedited(
      holder: "its Photoshop data, which can't be read,", offset: offset, remedy: "'metatag clear --all' erases it")
  }

  /// Further IPTC data in Photoshop's resources.
  static func additionalIPTC(at offset: Int) -> Unedited {
    Unedited(holder: "its second block of IPTC", offset: offset, remedy: "'metatag clear --all' erases it")
  }
}

extension Layout {
  /// Adds what was unpacked. Returns where it can be read.
  package mutating func unpack(_ bytes: [UInt8], of source: any ByteSource) -> Range<Int> {
    let start = source.count + unpacked.count
    unpacked += bytes
    return start..<start + bytes.count
  }

  /// The file, with what it holds packed behind it: where all ranges of metadata can be read.
  package func readable(_ source: any ByteSource) -> any ByteSource {
    unpacked.isEmpty ? source : UnpackedSource(file: source, unpacked: unpacked)
  }
}

extension Layout {
  /// The EXIF directories, wherever they stand; nil when there are none.
  package func exifBlock(of source: any ByteSource) throws(FileError) -> TIFFBlock? {
    if let exif { return try TIFFBlock(source, exif) }
    return exifDirectories.isEmpty ? nil : try TIFFBlock(source, directories: exifDirectories)
  }
}

extension Layout {
  /// The byte order of its EXIF, which a new block keeps.
  func exifOrder(of source: any ByteSource) -> Bytes.Order {
    (try? exifBlock(of: readable(source)))?.order ?? .big
  }
}

/// Wanted changes to the metadata blocks of one file. Nil and empty mean: leave that block.
package struct BlockChanges: Sendable {
  /// Tags to set or remove in the EXIF block.
  package var exif = TIFFChanges()
  /// The same for `Layout.additionalEXIF`, by index.
  package var additionalEXIF: [Int: TIFFChanges] = [:]
  /// The new XMP packet (any length; the container makes it fit).
  package var xmp: [UInt8]?
  /// The same for `Layout.additionalXMP`, by index.
  package var additionalXMP: [Int: [UInt8]] = [:]
  /// The new IIM datasets.
  package var iptc: [UInt8]?
  /// The same for `Layout.additionalIPTC`, by index.
  package var additionalIPTC: [Int: [UInt8]] = [:]
  /// Values to set or remove among a movie's own.
  package var quickTime = QuickTimeChanges()
  /// Numbers of the time that a phone appends to the picture, each in its bytes.
  package var stamps: [Splice] = []
  /// What could not be written as it was asked for.
  package var notes: [String] = []
  /// Erase positions also where nothing refers to them any more.
  package var erasesPlaces = false
  /// Erase dates also where no block tells them.
  package var erasesDates = false
  /// Nothing stays but what shows the picture right, and what `exif` sets.
  package var erasesAll = false
  /// Tracks of a movie that record places along the way go whole.
  package var dropsTimedPlaces = false
  /// A JPEG XL file may lose what rebuilds its JPEG.
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

  /// Whether what can't be read may tell what is to be erased.
  package var mustReadAll: Bool { erasesPlaces || erasesDates }
  /// What that would be, in words.
  package var erased: String { erasesPlaces ? "a place" : "a date" }

  /// What is to be erased wherever it stands.
  package var erasing: MetadataEdit {
    var edit = MetadataEdit()
    if erasesPlaces { edit.location = .remove }
    edit.erasesDates = erasesDates
    return edit
  }

  /// A GPS directory that tells nothing may stay.
  package mutating func leaveGPS() {
    exif.removesGPS = false
    for index in additionalEXIF.keys { additionalEXIF[index]?.removesGPS = false }
    additionalEXIF = additionalEXIF.filter { !$0.value.isEmpty }
  }

  /// Whether every block stays.
  package var isEmpty: Bool {
    exif.isEmpty && additionalEXIF.isEmpty && xmp == nil && additionalXMP.isEmpty && iptc == nil
      && additionalIPTC.isEmpty
      && quickTime.isEmpty && stamps.isEmpty
  }
}
