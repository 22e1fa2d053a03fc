/// A file format: finds metadata and image data in a file, and turns metadata changes into splices.
///
/// A container is a pure function of bytes. It writes no file.
package protocol Container: Sendable {
  /// The formats that the container reads.
  var types: [ImageType] { get }

  /// The format of a file that begins with `head` (at least 32 bytes where the file has them), or nil.
  func type(of head: Bytes) -> ImageType?

  /// Walks the file's structure, not its values.
  func layout(of source: any ByteSource) throws(FileError) -> Layout

  /// Returns the splices that put `changes` into the file. The patch is empty when the file already has every changed
  /// value.
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch

  /// Returns the changes that `changes` make in the EXIF block, for callers that read the block afterwards.
  func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges
}

extension Container {
  package func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges {
    changes.exif
  }
}

/// The positions of a file's metadata and image data.
package struct Layout: Sendable {
  /// The format, if only the whole structure shows it; nil if the file's head is enough.
  package var type: ImageType?
  /// Offset of the EXIF TIFF header (`II` or `MM`) in the file, and the bytes that belong to the TIFF block.
  /// In a TIFF file, the whole file.
  package var exif: Range<Int>?
  /// Further EXIF blocks that describe the same picture (the other eye of a stereo pair). They change in the same way
  /// as the first.
  package var additionalEXIF: [Range<Int>] = []
  /// The XMP packet, from its first byte to its last, padding included.
  package var xmp: Range<Int>?
  /// Further packets that describe the same picture.
  package var additionalXMP: [Range<Int>] = []
  /// The IPTC IIM datasets (what 8BIM 0x0404 or TIFF tag 33723 holds).
  package var iptc: Range<Int>?
  /// Further IIM datasets that describe the same picture.
  package var additionalIPTC: [Range<Int>] = []
  /// Directories that each have a TIFF structure of their own (CR3), always including IFD0; `exif` is nil then.
  package var exifDirectories: [IFD: Range<Int>] = [:]
  /// A movie's QuickTime metadata.
  package var quickTime: QuickTimeData?
  /// Box headers that record times, in pictures. They change with the picture's date.
  package var headers: [QuickTimeHeader] = []
  /// The capture times in Canon's timed metadata: eight bytes each, from the year to the hundredths of a second.
  package var timeStamps: [Range<Int>] = []
  /// The end offset of a block that a Samsung phone may have appended.
  package var phoneEnd: Int?
  /// Holders of dates in undocumented forms, in words ("its maker's note"). They stay when dates are erased.
  package var opaque: [String] = []
  /// Holders of place data in undocumented forms. They stay when places are erased.
  package var opaqueToPlaces: [String] = []
  /// Holders of positions that edits can erase but not change, in words: "FLIR's thermal data".
  package var placesAside: [String] = []
  /// The container's own rotation of the picture, as an EXIF orientation, in formats where it overrides EXIF.
  package var orientation: Int?
  /// The bytes of pixels, trailers and other images, in file order. No splice may cut into them.
  package var imageData: [Range<Int>] = []
  /// Embedded JPEG files that show the file's picture.
  package var previews: [Range<Int>] = []
  /// The size of the main image, if the structure records it.
  package var pixelSize: PixelSize?
  /// XMP that is neither read nor edited: further packets, and the parts of an extended packet.
  package var unreadXMP: [Range<Int>] = []
  /// C2PA manifests: signed claims about the picture. They are neither read nor edited.
  package var manifests: [Range<Int>] = []
  /// The holder and offset of a place that can't be edited.
  package var hiddenPlace: (holder: String, offset: Int)?
  /// The holder and offset of a possible date that can't be edited.
  package var hiddenDate: (holder: String, offset: Int)?
  /// The reason why a position that exists can't be read.
  package var unreadPlace: String?
  /// The end of the file's own structure. Bytes after it are neither read nor edited.
  package var trailer: Int?
  /// Data that edits don't update, and that may record a place or a date.
  package var unedited: [Unedited] = []
  /// Whether the format can't hold EXIF. Place and time are then in XMP, which is created where it is missing.
  package var hasOnlyXMP = false
  /// The kind of raw file, in the vendor's words ("Nikon NEF"); nil for every other picture.
  package var rawKind: String?
  /// Whether changes that the file itself can't hold must go into a sidecar.
  package var isSidecarOnly = false
  /// Whether the file can reproduce the JPEG it was made from, bit by bit.
  package var rebuildsJPEG = false
  /// Times that programs write in the format's own text fields: the keywords and the unmodified texts.
  package var statedTimes: [(keyword: String, text: String)] = []
  /// The message for the user when a block is added that the file lacks.
  package var additionNotice: Note?
  /// Messages for the user: a manifest that an edit invalidates, a second Exif block.
  package var notes: [Note] = []
  /// Unpacked copies of metadata that the file holds packed (compressed, or encoded as text). Ranges at or after the
  /// end of the file refer to these bytes.
  package private(set) var unpacked: [UInt8] = []
}

/// Data in a file that isn't updated when a place or a date changes.
package struct Unedited: Sendable {
  /// The data in words: "IPTC data of ImageMagick's".
  package let holder: String
  package let offset: Int
  /// How to erase the data; nil if erasing the rest erases it too.
  package let remedy: Remedy?
  /// Whether the data disappears together with the JPEG reconstruction data.
  package var isReconstruction = false

  /// Photoshop resources that break the rules.
  static func unreadPhotoshop(at offset: Int) -> Unedited {
    Unedited(
      holder: "its Photoshop data, which can't be read,", offset: offset, remedy: .clearAll)
  }

  /// Further IPTC data in Photoshop's resources.
  static func additionalIPTC(at offset: Int) -> Unedited {
    Unedited(holder: "its second block of IPTC", offset: offset, remedy: .clearAll)
  }
}

extension Layout {
  /// Adds unpacked bytes. Returns the range where they can be read.
  package mutating func unpack(_ bytes: [UInt8], of source: any ByteSource) -> Range<Int> {
    let start = source.count + unpacked.count
    unpacked += bytes
    return start..<start + bytes.count
  }

  /// Returns the file followed by its unpacked data: a source in which all metadata ranges can be read.
  package func readable(_ source: any ByteSource) -> any ByteSource {
    unpacked.isEmpty ? source : UnpackedSource(file: source, unpacked: unpacked)
  }
}

extension Layout {
  /// Returns the EXIF directories, wherever they are; nil if the file has no EXIF.
  package func exifBlock(of source: any ByteSource) throws(FileError) -> TIFFBlock? {
    if let exif { return try TIFFBlock(source, exif) }
    return exifDirectories.isEmpty ? nil : try TIFFBlock(source, directories: exifDirectories)
  }
}

extension Layout {
  /// Returns the byte order of the file's EXIF. A new block keeps it.
  func exifOrder(of source: any ByteSource) -> Bytes.Order {
    (try? exifBlock(of: readable(source)))?.order ?? .big
  }
}

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
  package var notes: [Note] = []
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
    quickTime: QuickTimeChanges = QuickTimeChanges(), stamps: [Splice] = [], notes: [Note] = [],
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
