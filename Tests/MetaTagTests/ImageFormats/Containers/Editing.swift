import Foundation
import SystemPackage
import TestSupport

@testable import MetaTag

/// The steps from a file to a patched file as the tool takes them, in memory.
enum Editing {
  static func container(of source: any ByteSource) throws -> any Container {
    let head = try source.prefix(at: 0, count: FileSource.headCount)
    guard let found = containers.first(where: { $0.type(of: head) != nil }) else {
      throw FileError(.unsupported, "no format that is known")
    }
    return found
  }

  static func metadata(of source: any ByteSource) throws -> Metadata {
    var metadata = Metadata()
    if let range = try container(of: source).layout(of: source).exif {
      EXIF.read(try TIFFBlock(source, range), into: &metadata)
    }
    return metadata
  }

  static func patch(_ edit: MetadataEdit, of source: any ByteSource) throws -> Patch {
    let container = try container(of: source)
    let layout = try container.layout(of: source)
    var changes = BlockChanges()
    let block = try layout.exif.map { try TIFFBlock(source, $0) }
    changes.exif = try EXIF.changes(for: edit, in: block)
    return try container.patch(changes, layout: layout, source: source)
  }

  static func edited(_ source: any ByteSource, _ edit: MetadataEdit) throws -> Bytes {
    Bytes(try patch(edit, of: source).applied(to: source))
  }
}

extension Coordinate {
  /// A literal coordinate that is known to be in range.
  static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw FileError(.malformed, "out of range")
    }
    return coordinate
  }
}

/// Edits that tests of every format make.
extension MetadataEdit {
  static let removal: MetadataEdit = {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }()

  static func place(
    _ latitude: Double = 47.6062, _ longitude: Double = -122.3321, altitude: Double? = nil
  ) throws -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(latitude, longitude), altitude: altitude))
    return edit
  }

  static func dates(_ change: DateChange) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.dates = change
    return edit
  }
}
