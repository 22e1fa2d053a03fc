import ArgumentParser
import GeoIndex
import MetaTag
import SystemPackage

/// Prints the output of `metatag show`, one entry per photo in the order of the inputs. Entries are prepared in
/// parallel; only printing is sequential.
struct PhotoListing {
  /// The form and the details of the output.
  struct Form: Sendable {
    enum Layout: Sendable { case table, json, jsonLines, csv }

    let layout: Layout
    private let tagReader: TagReader?
    private let namer: PlaceNamer?
    /// The order of the photos; nil for that of the inputs.
    let order: PhotoOrder?

    /// Creates a form from the options of `show`.
    /// - Parameters:
    ///   - namer: Looks up place names; nil to show only names that photos record.
    ///   - order: The order of the photos; nil for that of the inputs.
    init(
      json: Bool, jsonLines: Bool, csv: Bool, allTags: Bool, namer: PlaceNamer? = nil, order: PhotoOrder? = nil
    ) {
      layout = json ? .json : jsonLines ? .jsonLines : csv ? .csv : .table
      self.order = order
      tagReader = allTags ? TagReader() : nil
      self.namer = namer
    }

    /// Whether place names are looked up.
    var derivesNames: Bool { namer != nil }

    /// Reads a photo and returns its entry, with the value by which it is sorted.
    func entry(for photo: Photo) -> (key: PhotoOrder.Key?, value: Entry) {
      do throws(FileError) {
        let joined = try PhotoMetadata(photo)
        let image = joined.image
        // The table has no column for properties.
        let properties =
          layout == .table && order?.needsProperties != true
          ? ImageProperties(image.type) : image.properties(with: joined.metadata)
        let key = order?.key(
          of: PhotoFacts(
            path: photo.input.path, type: image.type, size: image.byteCount, properties: properties,
            metadata: joined.metadata))
        var photo = ShownPhoto(path: photo.input.path, properties: properties, metadata: joined.metadata)
        if let namer, let location = joined.metadata.location {
          // Fails only for coordinates that aren't on Earth.
          photo.derivedNames = (try? namer.names(of: location)).map(PlaceNames.init)
        }
        let tags = try tagReader?.tags(of: image)
        switch layout {
        case .table: return (key, .row(photo.cells, tags?.map { "  \($0.key)  \($0.text.printable)" } ?? []))
        case .csv:
          var writer = CSVWriter()
          photo.write(to: &writer, derives: derivesNames)
          return (key, .bytes(writer.take()))
        case .json, .jsonLines:
          var writer = JSONWriter()
          photo.write(to: &writer) { writer in tags.map { writer.member(tags: $0) } }
          return (key, .bytes(writer.take()))
        }
      } catch {
        return (nil, .failure(ReportRow(photo.input.path, error)))
      }
    }
  }

  enum Entry: Sendable {
    case row([String], [String])
    case bytes([UInt8])
    case failure(ReportRow)
  }

  private let form: Form
  private let console: Console
  private var table = Table(ShownPhoto.columns)
  /// The entries that wait until all can be sorted.
  private var unsorted: [(key: PhotoOrder.Key?, value: Entry)] = []
  private var isFirst = true
  private var failures = 0

  init(_ form: Form, on console: Console) {
    self.form = form
    self.console = console
    if form.layout == .csv {
      var writer = CSVWriter()
      writer.row(ShownPhoto.csvTitles + (form.derivesNames ? ShownPhoto.derivedTitles : []))
      console.write(writer.take())
    }
  }

  mutating func add(_ entry: (key: PhotoOrder.Key?, value: Entry)) {
    if form.order == nil { print(entry.value) } else { unsorted.append(entry) }
  }

  private mutating func print(_ entry: Entry) {
    switch entry {
    case .row(let cells, let tags):
      if tags.isEmpty {
        table.add(cells)
      } else {
        console.print(cells[0] + ":")
        tags.forEach { console.print($0) }
      }
    case .bytes(let bytes):
      separate()
      console.write(bytes)
      if form.layout == .jsonLines { console.write([0x0A]) }
    case .failure(let row):
      failures += 1
      console.warn(row.line())
      guard form.layout == .json || form.layout == .jsonLines else { return }
      var writer = JSONWriter()
      row.write(to: &writer)
      separate()
      console.write(writer.take())
      if form.layout == .jsonLines { console.write([0x0A]) }
    }
  }

  /// Prints what is pending and returns the exit status.
  mutating func finish() throws(Errno) -> ExitCode {
    form.order?.sorted(unsorted).forEach { print($0) }
    if form.layout == .json { console.write(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
    if !table.rows.isEmpty { console.print(table) }
    console.reportLeftOut()
    try console.finish()
    return failures == 0 ? .success : .failure
  }

  private mutating func separate() {
    if form.layout == .json { console.write(Array((isFirst ? "[\n" : ",\n").utf8)) }
    isFirst = false
  }
}

extension JSONWriter {
  /// Writes `"tags"`: every tag with its name, type, meaning and stored value.
  fileprivate mutating func member(tags: [TagDump]) {
    key("tags")
    array { writer in
      for tag in tags {
        writer.object { writer in
          writer.member("key", tag.key)
          writer.member("type", tag.type)
          writer.member("text", tag.text)
          writer.member("raw", tag.raw == tag.text ? nil : tag.raw)
        }
      }
    }
  }
}

/// Writes the thumbnail for `metatag show --thumbnail`.
struct ThumbnailWriting {
  let photo: Walk.Input
  let output: FilePath
  /// The length of the longer side in pixels.
  let size: Int

  /// Writes the thumbnail and returns the exit status.
  func run(on console: Console) async throws -> ExitCode {
    do {
      if let failure = photo.failure { throw failure }
      let thumbnail = try await ImageSource(photo).thumbnail(.maxPixels(size), codecs: PictureCodecs())
      if thumbnail.isDegraded {
        let (width, height) = (thumbnail.pixelSize.width, thumbnail.pixelSize.height)
        console.warn(
          "\(photo.path.printable): the picture can't be decoded here; its preview has \(width) × \(height) pixels")
      }
      if output != "-" {
        do { try await thumbnail.write(to: output) } catch let error as FileError {
          console.warn("\(output.printable): \(error.words)")
          return .failure
        }
        return .success
      }
      console.write(try await thumbnail.jpeg())
    } catch let error as FileError {
      console.warn(ReportRow(photo.path, error).line())
      return .failure
    }
    try console.finish()
    return .success
  }
}
