import ArgumentParser
import MetaTag

/// Options for title, author, camera and other fields. An empty value removes the field.
struct FieldOptions: ParsableArguments {
  @Option(help: "Author, up to 64 characters; separate several with semicolons.", transform: change(.artist))
  var artist: Change<TagValue>?

  @Option(help: "Copyright notice, up to 200 characters.", transform: change(.copyright))
  var copyright: Change<TagValue>?

  @Option(help: "Title, up to 200 characters.", transform: change(.title))
  var title: Change<TagValue>?

  @Option(
    help: ArgumentHelp(
      "Replace all keywords with these (comma-separated, up to 200 characters each). Repeatable."),
    transform: change(.keywords))
  var keywords: [Change<TagValue>] = []

  @Option(
    help: ArgumentHelp(
      "Add a keyword and keep the others. Repeatable.", valueName: "keyword"),
    transform: { word in try ArgumentError.inWords { try PhotoField.keyword(parsing: try Argv.text(of: word)) } })
  var addKeyword: [String] = []

  @Option(help: "Description of the picture.", transform: change(.description))
  var description: Change<TagValue>?

  @Option(help: "Rating in stars, 0–5.", transform: change(.rating))
  var rating: Change<TagValue>?

  @Option(help: "Camera make.", transform: change(.make))
  var make: Change<TagValue>?

  @Option(help: "Camera model.", transform: change(.model))
  var model: Change<TagValue>?

  @Option(help: "Lens make.", transform: change(.lensMake))
  var lensMake: Change<TagValue>?

  @Option(help: "Lens model.", transform: change(.lensModel))
  var lensModel: Change<TagValue>?

  @Option(help: "F-number: 2.8.", transform: change(.aperture))
  var aperture: Change<TagValue>?

  @Option(help: "Exposure time in seconds: 1/125, 0.5.", transform: change(.shutter))
  var shutter: Change<TagValue>?

  @Option(help: "ISO sensitivity: 400.", transform: change(.iso))
  var iso: Change<TagValue>?

  @Option(help: "Focal length in millimetres: 23.5.", transform: change(.focalLength))
  var focalLength: Change<TagValue>?

  @Option(
    name: .customLong("focal-length-35mm"), help: "35 mm equivalent of the focal length, in whole millimetres.",
    transform: change(.focalLength35mm))
  var focalLength35mm: Change<TagValue>?

  @Option(help: "Exposure compensation in EV: +1.5, -0.7, -1/3.", transform: change(.exposureBias))
  var exposureBias: Change<TagValue>?

  @Option(help: FieldOptions.help(.program), transform: change(.program))
  var program: Change<TagValue>?

  @Option(help: FieldOptions.help(.metering), transform: change(.metering))
  var metering: Change<TagValue>?

  @Option(help: FieldOptions.help(.whiteBalance), transform: change(.whiteBalance))
  var whiteBalance: Change<TagValue>?

  @Option(help: FieldOptions.help(.flash), transform: change(.flash))
  var flash: Change<TagValue>?

  @OptionGroup var place: PlaceNameOptions

  @Option(
    help: ArgumentHelp(
      "Set an EXIF tag by its exiv2 name, Exif.Photo.BodySerialNumber=123, or a value in XMP by its path, "
        + "'dc:rights[en]=All rights reserved'.", valueName: "tag=value"),
    transform: TagAssignment.assigning)
  var set: [TagAssignment] = []

  @Option(
    help: ArgumentHelp(
      "Remove an EXIF tag, Exif.Image.Software, or a value in XMP, xmpRights:Marked.", valueName: "tag"),
    transform: TagAssignment.removing)
  var remove: [TagAssignment] = []

  func validate() throws { _ = try planner() }

  /// Returns the planner for the given fields.
  /// - Throws: `ValidationError` if there is nothing to change, or a field is given twice.
  func planner() throws -> FieldPlanner {
    var planner = FieldPlanner()
    let given: [(PhotoField, Change<TagValue>?)] = [
      (.title, title), (.keywords, Self.union(keywords)), (.artist, artist), (.copyright, copyright),
      (.description, description), (.rating, rating),
      (.make, make), (.model, model),
      (.lensMake, lensMake), (.lensModel, lensModel), (.aperture, aperture), (.shutter, shutter), (.iso, iso),
      (.focalLength, focalLength), (.focalLength35mm, focalLength35mm), (.exposureBias, exposureBias),
      (.program, program), (.metering, metering), (.whiteBalance, whiteBalance), (.flash, flash),
    ]
    for (field, change) in given { planner.fields[field] = change }
    planner.addedKeywords = addKeyword
    planner.names = place.changes
    if !keywords.isEmpty, !addKeyword.isEmpty {
      throw ValidationError("--keywords and --add-keyword can't be used together: --keywords replaces all keywords.")
    }
    for assignment in set + remove {
      guard planner.add(assignment) else { throw ValidationError("\(assignment.name) is given twice.") }
    }
    guard
      !planner.fields.isEmpty || !planner.tags.isEmpty || !planner.properties.isEmpty || !addKeyword.isEmpty
        || !planner.names.isEmpty
    else {
      throw ValidationError("Say what to set, for example --artist 'Ada Lovelace'.")
    }
    return planner
  }

  private static func change(_ field: PhotoField) -> @Sendable (String) throws -> Change<TagValue> {
    { word in try ArgumentError.inWords { try field.change(parsing: try Argv.text(of: word)) } }
  }

  /// Returns nil for an empty list.
  private static func union(_ lists: [Change<TagValue>]) -> Change<TagValue>? {
    guard !lists.isEmpty else { return nil }
    var words: [String] = []
    for case .set(.list(let list)) in lists { words += list.filter { !words.contains($0) } }
    return words.isEmpty ? .remove : .set(.list(words))
  }

  private static func help(_ field: PhotoField) -> ArgumentHelp {
    "\(field.choices.map(\.name).joined(separator: ", ")), or the EXIF number."
  }
}

/// A change on the command line of an EXIF tag, `Exif.Photo.LensModel=…`, or of a value in XMP, `dc:rights[en]=…`.
enum TagAssignment: Sendable {
  case tag(EXIFTag, Change<TagValue>)
  case property(XMPPath, Change<String>)

  /// The name of what changes.
  var name: String {
    switch self {
    case .tag(let tag, _): tag.key
    case .property(let path, _): "\(path)"
    }
  }

  static func assigning(_ word: String) throws -> TagAssignment {
    let parts = try Argv.text(of: word).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ValidationError("write a tag and its value: Exif.Photo.LensModel=XF23mm.") }
    if let path = try path(String(parts[0])) {
      let text = String(parts[1]).trimmed
      return .property(path, text.isEmpty ? .remove : .set(text))
    }
    let tag = try EXIFTag.named(argument: String(parts[0]))
    return .tag(tag, try ArgumentError.inWords { try tag.change(parsing: String(parts[1])) })
  }

  static func removing(_ word: String) throws -> TagAssignment {
    let name = try Argv.text(of: word)
    if let path = try path(name) { return .property(path, .remove) }
    return .tag(try EXIFTag.named(argument: name), .remove)
  }

  /// Returns the path in XMP; nil for the name of a tag.
  private static func path(_ name: String) throws -> XMPPath? {
    guard name.contains(":") else { return nil }
    return try ArgumentError.inWords {
      let path = try XMPPath(parsing: name)
      try path.requireEditable()
      return path
    }
  }
}

extension FieldPlanner {
  /// Adds a change; returns false if there is one of the same name.
  fileprivate mutating func add(_ assignment: TagAssignment) -> Bool {
    switch assignment {
    case .tag(let tag, let change):
      if let field = PhotoField(tag) { return fields.updateValue(change, forKey: field) == nil }
      return tags.updateValue(change, forKey: tag) == nil
    case .property(let path, let change): return properties.updateValue(change, forKey: path) == nil
    }
  }
}

extension EXIFTag {
  /// Returns the tag of this name. The error says which option or command to use for others.
  fileprivate static func named(argument name: String) throws -> EXIFTag {
    do throws(ParseError) { return try named(name) } catch { throw ValidationError(error.words) }
  }
}
