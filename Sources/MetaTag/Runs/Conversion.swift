package import SystemPackage

/// A run that creates files in another format from photos, next to them or in a folder. The photos stay unchanged. Work
/// runs in parallel; names are assigned in the order of the inputs.
package struct Conversion: Sendable {
  /// The format of the new files.
  package enum Target: String, Sendable, CaseIterable {
    case heic, avif, jpeg
    /// JPEG for HEIF and AVIF photos, since everyone can read it. Other photos are not converted.
    case compatible

    /// Returns the format that a photo of `type` gets, which may be its own.
    func format(for type: ImageType) -> ImageType {
      switch self {
      case .heic: .heic
      case .avif: .avif
      case .jpeg: .jpeg
      case .compatible: type.isHEIFOrAVIF ? .jpeg : type
      }
    }
  }

  /// The options of a conversion.
  package struct Options: Sendable {
    /// The format of the new files.
    package var target = Target.compatible
    /// The encoding quality, 1…100.
    package var quality = 95
    /// The length of the longer side to which larger pictures are scaled down, also those that have the format already. Nil:
    /// no limit.
    package var maxPixels: Int?
    /// The folder for the new files. Nil: next to each photo.
    package var folder: FilePath?
    /// Whether the run ends at the first photo that can't be converted.
    package var stopsAtFailure = false
    /// The number of photos that are processed at once, at least 1.
    package var jobs = 2

    /// Creates the default options: a format that everyone can read, quality 95, next to the photos.
    package init() {}
  }

  /// The result for one photo.
  package enum Outcome: Sendable {
    /// The new file is durable (in a dry run: would be written). `losses` describes what it lacks of the photo.
    case created(FilePath, losses: [Note])
    /// The photo has the format already, or the new file exists already; with the reason.
    case unchanged(Reason)
    /// The photo could not be converted.
    case failed(FileError)
    /// The run ended before this photo was started.
    case notRun
  }

  private let rewriter: Rewriter?
  private let codecs: PictureCodecs
  private let options: Options

  /// Creates a run that writes, recorded under `run` in `journal`.
  package init(_ run: RunID, in journal: Journal, codecs: PictureCodecs, options: Options) {
    (rewriter, self.codecs, self.options) = (Rewriter(journal: journal, run: run), codecs, options)
  }

  /// Creates a dry run: the files are encoded in memory, and nothing is written.
  package init(dryRun options: Options, codecs: PictureCodecs) {
    (rewriter, self.codecs, self.options) = (nil, codecs, options)
  }

  /// Converts photos. `report` receives one outcome per input, in order. When the task is cancelled or `stop` returns
  /// true, photos in progress are finished and the others are reported as not run.
  package func run(
    _ inputs: [Walk.Input], until stop: @escaping @Sendable () -> Bool = { false },
    report: (FilePath, Outcome) -> Void
  ) async {
    var names = NewNames()
    var remaining = inputs[...]
    // Decoded pictures are large: let few of them wait.
    let failure = Signal()
    var done = 0
    _ = await orderedParallelMap(
      inputs, width: max(1, options.jobs), ahead: 2, until: { stop() || failure.isRaised }
    ) { input in
      Result { () throws(FileError) in try work(on: input) }
    } consume: { work in
      guard !failure.isRaised else {
        if case .made(_, _, _, let file?, _)? = try? work.get() { await offloading { file.discard() } }
        return
      }
      guard let input = remaining.popFirst() else { return }
      done += 1
      let (settled, taken) = await offloading { [names] in
        var names = names
        return (Result { () throws(FileError) in try settle(work.get(), &names) }, names)
      }
      names = taken
      do throws(FileError) {
        report(input.path, try settled.get())
      } catch {
        if options.stopsAtFailure { failure.raise() }
        report(input.path, .failed(error))
      }
    }
    await offloading { rewriter?.finish() }
    for input in inputs.dropFirst(done) { report(input.path, .notRun) }
  }

  /// A converted file that has no name yet.
  private enum Work: Sendable {
    case unchanged(Reason)
    case made(FilePath.Component, Directory, WholeContent, CreatedFile?, losses: [Note])
  }

  private func work(on input: Walk.Input) throws(FileError) -> Work {
    if let failure = input.failure { throw failure }
    let source = try FileSource(input.path)
    let image = try ImageSource(source, path: input.path)
    let format = options.target.format(for: image.type)
    guard format != image.type || isToBeScaled(image) else {
      return .unchanged(options.target == .compatible ? .commonFormat : .hasFormat(image.type))
    }
    let destination = try ImageDestination(
      format, of: image, quality: options.quality, scaling: options.maxPixels.map(PictureScaling.maxPixels),
      codecs: codecs)
    let file = try destination.finalize()
    let place = try DirectoryEntry(resolving: input.path)
    let folder = try options.folder.map { path throws(FileError) in try Directory(path) } ?? place.folder
    let name = try place.name.becoming(format)
    try check(Bytes(file.bytes), format, against: image)
    if rewriter == nil { try folder.requireWritable() }
    let staged = try rewriter?.stage(new: file.bytes, as: name, in: folder, like: source) {
      written throws(FileError) in
      try check(written, format, against: image)
    }
    let content = if let staged { staged.content } else { try WholeContent(Bytes(file.bytes)) }
    // A conversion is a new encoding; that goes without saying.
    let losses = file.losses.filter { $0.code != .recoded }
    return .made(name, folder, content, staged, losses: losses)
  }

  /// Whether a photo that has the format already is larger than requested.
  private func isToBeScaled(_ image: ImageSource) -> Bool {
    guard let longest = options.maxPixels, ImageDestination.supportedTypes(codecs).contains(image.type),
      let size = image.properties.pixelSize
    else { return false }
    return max(size.width, size.height) > longest
  }

  /// Checks that the new file has the photo's location, dates and camera data.
  private func check(
    _ bytes: any ByteSource, _ format: ImageType, against image: ImageSource
  ) throws(FileError) {
    let new = try ImageSource(bytes, path: image.path)
    guard new.type == format else {
      throw FileError(.verificationFailed, "expected a new file in \(format.name), found \(new.type.name)")
    }
    var old = image.metadata()
    let now = new.metadata()
    // The new picture is upright, and it records only once what both eyes of a stereo pair record.
    old.orientation = now.orientation
    if Set(old.locations) == Set(now.locations) { old.locations = now.locations }
    if Set(old.captureTimes) == Set(now.captureTimes) { old.captureTimes = now.captureTimes }
    if Set(old.digitizedTimes) == Set(now.digitizedTimes) { old.digitizedTimes = now.digitizedTimes }
    if Set(old.fields) == Set(now.fields) { old.fields = now.fields }
    try Expectation(edit: MetadataEdit(), before: old).check(now)
  }

  /// Gives the new file its name and makes it durable.
  private func settle(_ work: Work, _ names: inout NewNames) throws(FileError) -> Outcome {
    switch work {
    case .unchanged(let reason): return .unchanged(reason)
    case .made(let wanted, let folder, let content, let file, let losses):
      guard let file, let rewriter else {
        guard case .free(let name) = try names.name(wanted, in: folder, for: content) else { return .wasMade }
        return .created(folder.path.appending(name), losses: losses)
      }
      guard let staged = try names.name(file) else { return .wasMade }
      for result in rewriter.commit([staged]) { try result.get() }
      return .created(folder.path.appending(staged.place.name), losses: losses)
    }
  }
}

extension Conversion.Outcome {
  fileprivate static let wasMade = Conversion.Outcome.unchanged(.converted)
}

extension FilePath.Component {
  /// Returns the name with the extension for `type`, in capitals as MetaX writes it: `IMG_1.JPG` for `IMG_1.heic`.
  fileprivate func becoming(_ type: ImageType) throws(FileError) -> FilePath.Component {
    let ending: String =
      switch type {
      case .heic: ".HEIC"
      case .avif: ".AVIF"
      default: ".JPG"
      }
    guard let name = FilePath(bytes: stemBytes + Array(ending.utf8)).lastComponent else {
      throw FileError(.noName, "could not find a name for the new file")
    }
    return name
  }
}
