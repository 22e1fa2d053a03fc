import ArgumentParser
import MetaTag

/// Fields of title, author and camera. An option that isn't given leaves its field, an empty value removes it.
struct FieldOptions: ParsableArguments {
  @Option(help: "Who made it, up to 64 characters; several are parted by semicolons.", transform: change(.artist))
  var artist: Change<TagValue>?

  @Option(help: "Whose it is, up to 200 characters.", transform: change(.copyright))
  var copyright: Change<TagValue>?

  @Option(help: "What it is called, up to 200 characters.", transform: change(.title))
  var title: Change<TagValue>?

  @Option(
    help: ArgumentHelp(
      "What it is about: these keywords, of up to 200 characters, parted by commas, and no others. Given several "
        + "times, all of them."),
    transform: change(.keywords))
  var keywords: [Change<TagValue>] = []

  @Option(
    help: ArgumentHelp(
      "A keyword more, beside those that are there; may be given several times.", valueName: "keyword"),
    transform: { word in try PhotoField.keyword(parsing: try Argv.text(of: word)) })
  var addKeyword: [String] = []

  @Option(help: "What the picture shows.", transform: change(.description))
  var description: Change<TagValue>?

  @Option(help: "Stars, 0 to 5.", transform: change(.rating))
  var rating: Change<TagValue>?

  @Option(help: "Maker of the camera.", transform: change(.make))
  var make: Change<TagValue>?

  @Option(help: "Model of the camera.", transform: change(.model))
  var model: Change<TagValue>?

  @Option(help: "Maker of the lens.", transform: change(.lensMake))
  var lensMake: Change<TagValue>?

  @Option(help: "Model of the lens.", transform: change(.lensModel))
  var lensModel: Change<TagValue>?

  @Option(help: "F-number: 2.8.", transform: change(.aperture))
  var aperture: Change<TagValue>?

  @Option(help: "Exposure time in seconds: 1/125, 0.5.", transform: change(.shutter))
  var shutter: Change<TagValue>?

  @Option(help: "Sensitivity: 400.", transform: change(.iso))
  var iso: Change<TagValue>?

  @Option(help: "Focal length in millimetres: 23.5.", transform: change(.focalLength))
  var focalLength: Change<TagValue>?

  @Option(
    name: .customLong("focal-length-35mm"), help: "The same on 35 mm film, whole millimetres.",
    transform: change(.focalLength35mm))
  var focalLength35mm: Change<TagValue>?

  @Option(help: "Exposure correction: +1.5, -0.7, -1/3.", transform: change(.exposureBias))
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
    help: ArgumentHelp("An EXIF tag by its name: Exif.Photo.BodySerialNumber=123.", valueName: "tag=value"),
    transform: TagAssignment.assigning)
  var set: [TagAssignment] = []

  @Option(
    help: ArgumentHelp("Remove an EXIF tag: Exif.Image.Software.", valueName: "tag"),
    transform: TagAssignment.removing)
  var remove: [TagAssignment] = []

  func validate() throws { _ = try planner() }

  /// - Throws: `ValidationError` when nothing is asked for, or something twice.
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
      throw ValidationError("--keywords replaces all keywords: put those of --add-keyword into its list.")
    }
    for assignment in set + remove {
      let old: Change<TagValue>?
      if let field = PhotoField(assignment.tag) {
        old = planner.fields.updateValue(assignment.change, forKey: field)
      } else {
        old = planner.tags.updateValue(assignment.change, forKey: assignment.tag)
      }
      guard old == nil else { throw ValidationError("\(assignment.tag.key) is given twice.") }
    }
    guard !planner.fields.isEmpty || !planner.tags.isEmpty || !addKeyword.isEmpty || !planner.names.isEmpty else {
      throw ValidationError("Say what to set, for example --artist 'Ada Lovelace'.")
    }
    return planner
  }

  private static func change(_ field: PhotoField) -> @Sendable (String) throws -> Change<TagValue> {
    { word in try field.change(parsing: try Argv.text(of: word)) }
  }

  /// Nil without any.
  private static func union(_ lists: [Change<TagValue>]) -> Change<TagValue>? {
    guard !lists.isEmpty else { return nil }
    var words: [String] = []
    for case .set(.list(let list)) in lists { words += list.filter { !words.contains($0) } }
    return words.isEmpty ? .remove : .set(.list(words))
  }

  private static func help(_ field: PhotoField) -> ArgumentHelp {
    "\(field.choices.map(\.name).joined(separator: ", ")); or EXIF's number."
  }
}

/// `Exif.Photo.LensModel=…` on the command line.
struct TagAssignment: Sendable {
  let tag: EXIFTag
  let change: Change<TagValue>

  static func assigning(_ word: String) throws -> TagAssignment {
    let parts = try Argv.text(of: word).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ValidationError("write a tag and its value: Exif.Photo.LensModel=XF23mm.") }
    let tag = try EXIFTag.named(argument: String(parts[0]))
    return TagAssignment(tag: tag, change: try tag.change(parsing: String(parts[1])))
  }

  static func removing(_ word: String) throws -> TagAssignment {
    TagAssignment(tag: try EXIFTag.named(argument: try Argv.text(of: word)), change: .remove)
  }
}

extension EXIFTag {
  /// Returns the tag of this name. The error says which option or command to use for others.
  fileprivate static func named(argument name: String) throws -> EXIFTag {
    do throws(ParseError) { return try named(name) } catch { throw ValidationError(error.words) }
  }
}
