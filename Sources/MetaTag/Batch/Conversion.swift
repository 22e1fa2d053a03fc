package import SystemPackage

/// One run that makes new files of photos in another format, beside them or in a folder; the photos stay as they are.
/// Work runs side by side; names are given in the order of the inputs.
package struct Conversion: Sendable {
  /// What photos become.
  package enum Target: String, Sendable, CaseIterable {
    case heic, avif, jpeg
    /// HEIF becomes JPEG, which everyone can read; what is not HEIF stays as it was shot.
    case compatible

    /// The format that a photo of `type` gets; nil when it stays.
    func format(for type: ImageType) -> ImageType? {
      let wanted: ImageType =
        switch self {
        case .heic: .heic
        case .avif: .avif
        case .jpeg: .jpeg
        case .compatible: [.heic, .heif, .avif].contains(type) ? .jpeg : type
        }
      return wanted == type ? nil : wanted
    }
  }

  /// How a run goes about it.
  package struct Options: Sendable {
    /// What photos become.
    package var target = Target.compatible
    /// 1…100.
    package var quality = 95
    /// Where the new files go; nil: each beside its photo.
    package var folder: FilePath?
    /// Nothing is made after the first photo of which nothing can be.
    package var stopsAtFailure = false
    /// How many photos are worked on at once, at least 1.
    package var jobs = 2

    /// What everyone can read, of quality 95, beside the photos.
    package init() {}
  }

  /// What became of one photo.
  package enum Outcome: Sendable {
    /// The new file is there, durably (in a dry run: would be). What it doesn't hold of the photo.
    case created(FilePath, losses: [String])
    /// The photo is as wanted, or the new file is there already. Why.
    case unchanged(String)
    /// No file could be made of it.
    case failed(FileError)
    /// The run was interrupted before it was begun.
    case notRun
  }

  private let rewriter: Rewriter?
  private let codecs: PictureCodecs
  private let options: Options

  /// A run that writes, under `run` of `journal`.
  package init(_ run: RunID, in journal: Journal, codecs: PictureCodecs, options: Options) {
    (rewriter, self.codecs, self.options) = (Rewriter(journal: journal, run: run), codecs, options)
  }

  /// A dry run: the files are made in memory, and nothing is written.
  package init(dryRun options: Options, codecs: PictureCodecs) {
    (rewriter, self.codecs, self.options) = (nil, codecs, options)
  }

  /// Converts photos. `report` gets one outcome for each input, in order. When the task is cancelled or `stop` says so,
  /// begun photos are finished and the rest is reported as not run.
  package func run(
    _ inputs: [Walk.Input], until stop: @escaping @Sendable () -> Bool = { false },
    report: (FilePath, Outcome) -> Void
  ) async {
    var names = NewNames()
    var remaining = inputs[...]
    // Pictures in memory are large: hardly any wait for their turn.
    let failure = Flag()
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

  /// A photo's file, made but without a name.
  private enum Work: Sendable {
    case unchanged(String)
    case made(FilePath.Component, Directory, WholeContent, CreatedFile?, losses: [String])
  }

  private func work(on input: Walk.Input) throws(FileError) -> Work {
    if let failure = input.failure { throw failure }
    let source = try FileSource(input.path)
    let image = try ImageSource(source, path: input.path)
    guard let format = options.target.format(for: image.type) else {
      return .unchanged(options.target == .compatible ? "stays as it was shot" : "is \(image.type.name) already")
    }
    var destination = try ImageDestination(format, quality: options.quality, codecs: codecs)
    destination.add(image)
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
    return .made(name, folder, content, staged, losses: file.losses)
  }

  /// The new file says of place, time and camera what the photo says.
  private func check(
    _ bytes: any ByteSource, _ format: ImageType, against image: ImageSource
  ) throws(FileError) {
    let new = try ImageSource(bytes, path: image.path)
    guard new.type == format else {
      throw FileError(.refused, "the new file would not be \(format.name) but \(new.type.name)")
    }
    var old = image.metadata()
    let now = new.metadata()
    // It stands upright now, and what the other eye of a stereo pair repeats is said once.
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
  fileprivate static let wasMade = Conversion.Outcome.unchanged("was made before")
}

extension FilePath.Component {
  /// `IMG_1.JPG` of `IMG_1.heic`: the ending in capitals, as MetaX has it.
  fileprivate func becoming(_ type: ImageType) throws(FileError) -> FilePath.Component {
    let ending: String =
      switch type {
      case .heic: ".HEIC"
      case .avif: ".AVIF"
      default: ".JPG"
      }
    guard let name = FilePath(bytes: stemBytes + Array(ending.utf8)).lastComponent else {
      throw FileError(.io, "could not name the new file")
    }
    return name
  }
}
