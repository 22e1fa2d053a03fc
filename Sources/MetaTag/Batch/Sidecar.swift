import Glibc
import SystemPackage

/// The XMP file beside a photo that states what the photo itself can't.
struct Sidecar {
  let folder: Folder
  let name: FilePath.Component
  /// Nil when there is none yet.
  let file: FileSource?
  private let packet: XMPPacket

  private static let longest = 16 << 20

  /// The one that there is, `IMG_1.HEIC.xmp` or `IMG_1.xmp`; else a new one, of the first kind: a name without the
  /// photo's ending could be that of several photos, and is believed only where there is one.
  /// - Throws: `.refused` when there are both.
  init(of photo: Place) throws(PhotoError) {
    folder = photo.folder
    let own = try Sidecar.name(photo.name.bytes)
    let shared = try Sidecar.name(photo.name.stemBytes)
    let hasOwn = try folder.status(of: own) != nil
    var hasShared = try folder.status(of: shared) != nil
    if hasShared { hasShared = try !Sidecar.isAmbiguous(photo, except: shared) }
    guard !hasOwn || !hasShared else {
      throw PhotoError(.refused, "has two sidecars, \(own) and \(shared); remove the one that is not meant")
    }
    name = hasShared ? shared : own
    file = hasOwn || hasShared ? try FileSource(folder.path.appending(name)) : nil
    guard file?.count ?? 0 <= Sidecar.longest else {
      throw PhotoError(.tooLarge, "has a sidecar, \(name), of more than \(Sidecar.longest >> 20) MB")
    }
    do throws(PhotoError) {
      let bytes = try file.map { file throws(PhotoError) in try file.bytes(0..<file.count) }
      packet = try XMPPacket(bytes ?? Bytes(XMPPacket.sidecar))
    } catch {
      throw PhotoError(error.kind, "its sidecar \(name): \(error.sentence)", at: error.offset)
    }
  }

  /// Its bytes after `edit` of a photo that itself records `photo`, and what they say; nil when they say so already.
  /// - Throws: `.refused` when they would not say it.
  func edited(by edit: MetadataEdit, of photo: Metadata) throws(PhotoError) -> (bytes: [UInt8], says: Metadata)? {
    let before = Sidecar.metadata(of: packet)
    guard let bytes = try packet.stating(edit.stated(in: before, of: photo)) else { return nil }
    let after = Sidecar.metadata(of: try XMPPacket(Bytes(bytes)))
    if case .set(let location) = edit.location {
      guard let own = after.location, own.coordinate.isSame(as: location.coordinate) else {
        throw PhotoError(.refused, "left alone: its sidecar \(name) would not tell the location")
      }
    }
    if edit.dates != .keep {
      let time = (before.captureTime ?? photo.captureTime ?? after.captureTime)
      guard let wanted = time?.applying(edit.dates), after.captureTime?.civil == wanted.civil else {
        throw PhotoError(.refused, "left alone: its sidecar \(name) would not tell the capture time")
      }
    }
    return (bytes, after)
  }

  /// What it says.
  var metadata: Metadata { Sidecar.metadata(of: packet) }

  private static func metadata(of packet: XMPPacket) -> Metadata {
    var metadata = Metadata()
    packet.read(into: &metadata)
    return metadata
  }

  /// The splice between `old` and `new`: what both begin and end with stays.
  static func splice(from old: [UInt8], to new: [UInt8]) -> Splice {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old[head...].reversed(), new[head...].reversed()).prefix { $0 == $1 }.count
    return Splice(head..<old.count - tail, Array(new[head..<new.count - tail]))
  }

  /// Whether another file than `sidecar` and the photo has the photo's name up to its ending.
  private static func isAmbiguous(_ photo: Place, except sidecar: FilePath.Component) throws(PhotoError) -> Bool {
    let stem = photo.name.stemBytes
    return try photo.folder.names().contains { $0 != photo.name && $0 != sidecar && $0.stemBytes == stem }
  }

  private static func name(_ stem: [UInt8]) throws(PhotoError) -> FilePath.Component {
    guard let name = FilePath(bytes: stem + Array(".xmp".utf8)).lastComponent else {
      throw PhotoError(.io, "could not name its sidecar")
    }
    return name
  }
}

extension FilePath.Component {
  /// The name up to its last point.
  var stemBytes: [UInt8] {
    let bytes = bytes
    return bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? Array(bytes[..<$0]) : nil } ?? bytes
  }
}
