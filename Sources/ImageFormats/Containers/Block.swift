/// A stretch of a file that holds metadata, and what may be done with it.
package struct Block: Sendable {
  /// The kind of data in a block.
  package enum Content: Hashable, Sendable {
    /// A TIFF structure with EXIF: from its header (`II` or `MM`) to the last byte that belongs to it. In a TIFF file,
    /// the whole file.
    case exif
    /// An EXIF directory with a TIFF structure of its own (CR3).
    case exifDirectory(IFD)
    /// An XMP packet, from its first byte to its last, padding included; or, if the block isn't read, part of one.
    case xmp
    /// IPTC IIM datasets, as in 8BIM 0x0404 or TIFF tag 33723.
    case iptc
    /// The QuickTime metadata of a movie.
    case quickTime(QuickTimeData)
    /// Box headers that record times, in a picture. They change with the picture's date.
    case headers([QuickTimeHeader])
    /// A capture time in Canon's timed metadata: eight bytes, from the year to the hundredths of a second.
    case canonTime
    /// Data that a Samsung phone may have appended.
    case phoneData
    /// A time that a program wrote into the format's own text fields: the keyword and the unmodified text.
    case programTime(keyword: String, text: String)
    /// A C2PA manifest: signed claims about the picture.
    case manifest
    /// An embedded JPEG file that shows the file's picture.
    case preview
    /// A sequence of pictures, in tracks that list their metadata. Metadata that an edit adds isn't listed there.
    case sequence
    /// The data from which the file can reproduce the JPEG it was made from, bit by bit.
    case reconstruction
    /// A position in a form that isn't read, with a message for the user.
    case unreadPlace(String)
    /// The bytes after the end of the file's own structure.
    case trailer
    /// The whole file, if nothing in it can be changed.
    case wholeFile
    /// The whole file, if no directory in it locates the picture, so that any change could damage it.
    case unlocatedPicture
    /// Anything else.
    case unknown
  }

  /// The operations that a block allows.
  package enum Access: Hashable, Sendable {
    /// The block is read, changed and erased.
    case editable
    /// The block is read, but never changed.
    case readOnly
    /// The block isn't changed by an edit, and possibly not read. What is to be erased is erased from it.
    case erasable
    /// The block stays, even when its facts are erased; a note reports it.
    case kept
    /// The block can't be changed. If it may hold facts that are to be erased, the erasure is refused.
    case opaque(remedy: Remedy)
  }

  /// Kinds of facts that can be erased.
  package struct Facts: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Where the picture was taken.
    package static let place = Facts(rawValue: 1)
    /// When the picture was taken.
    package static let date = Facts(rawValue: 2)
  }

  package var content: Content
  /// The range in the file. Ranges at or after the end of the file refer to unpacked data (`Layout.readable(_:)`).
  package var range: Range<Int>
  package var access: Access
  /// The facts that the block may record in a form that isn't read. Blocks whose bytes are searched when something is
  /// erased (XMP, manifests, trailers) have none.
  package var mayHold: Facts
  /// The name for users, if the block may hold facts: "GDAL's metadata".
  package var name: String
  /// The unpacked bytes, if the file holds the block packed (compressed, or encoded as text).
  package var unpacked: [UInt8] = []

  package init(
    _ content: Content, _ range: Range<Int>, access: Access = .editable, mayHold: Facts = [], name: String = ""
  ) {
    self.content = content
    self.range = range
    self.access = access
    self.mayHold = mayHold
    self.name = name
  }

  /// Whether the block is read.
  package var isRead: Bool { access == .editable || access == .readOnly }
}

extension Block {
  /// Creates a block that isn't read, and that may hold facts.
  static func unread(
    _ name: String, at offset: Int, mayHold: Facts = [.place, .date], _ access: Access = .opaque(remedy: .clearAll)
  ) -> Block {
    Block(.unknown, offset..<offset, access: access, mayHold: mayHold, name: name)
  }

  /// Photoshop resources that break the rules.
  static func unreadPhotoshop(at offset: Int) -> Block {
    unread("its unreadable Photoshop data", at: offset)
  }

  /// Further IPTC data in Photoshop's resources.
  static func additionalIPTC(at offset: Int) -> Block { unread("its second block of IPTC", at: offset) }
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

  /// Returns the tag changes for the EXIF block with a number, counted from 0 for the one that describes the picture.
  package func exif(at index: Int) -> TIFFChanges {
    index == 0 ? exif : additionalEXIF[index - 1] ?? TIFFChanges()
  }

  /// Returns the new XMP packet for the block with a number, counted like EXIF blocks; nil if that stays as it is.
  package func xmp(at index: Int) -> [UInt8]? { index == 0 ? xmp : additionalXMP[index - 1] }

  /// Returns the new IPTC datasets for the block with a number; nil if they stay as they are.
  package func iptc(at index: Int) -> [UInt8]? { index == 0 ? iptc : additionalIPTC[index - 1] }

  /// Whether an unreadable block may contain something that is to be erased.
  package var mustReadAll: Bool { erasesPlaces || erasesDates }
  /// The kind of data to be erased, in words.
  package var erased: String { erasesPlaces ? "a location" : "a date" }

  /// The error for EXIF that can't be read, if everything has to be read.
  package func unreadEXIF(at offset: Int) -> FileError {
    FileError(.notErasable, "has EXIF that can't be read and may contain \(erased)", at: offset)
  }

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
