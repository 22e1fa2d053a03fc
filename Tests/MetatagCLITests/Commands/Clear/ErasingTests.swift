import Foundation
import TestSupport
import Testing

@Suite("Erasing everything or every date", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ErasingTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func has(_ bytes: Data, _ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

  private func tags(_ photo: URL) throws -> [String: any Sendable] {
    try #require(try exiftool(["-n", "-ee"], scratch.url)[photo.path])
  }

  /// A sample with private values in every form of its format, and with data after its end.
  private func secretive(_ name: String) throws -> URL {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    var tags = ["-XMP-dc:Title=SecretTitle", "-XMP-xmpMM:HistoryAction=SecretHistory"]
    if ["mov", "mp4", "3gp"].contains(photo.pathExtension) {
      tags += [
        "-UserData:Artist=SecretArtist", "-ItemList:Comment=SecretText", "-Keys:Description=SecretNote",
        "-Keys:GPSCoordinates=48.123456, 11.654321",
      ]
    } else if !name.hasSuffix("gif") {
      tags += ["-Artist=SecretArtist", "-UserComment=SecretNote", "-Orientation#=6", "-GPSLatitude=48.123456"]
    }
    if name.hasSuffix("png") {
      tags += [
        "-PNG:Comment=SecretText", "-PNG:ModifyDate=2024:06:01 10:00:00", "-PNG:CreationTime=2024:06:02 10:00:00",
      ]
    }
    if name.hasSuffix("gif") { tags += ["-GIF:Comment=SecretText"] }
    if name.hasSuffix("jxl") {
      #expect(try tool("set", "--artist", "SecretArtist", "--title", "SecretTitle", photo.path).status == 0)
    } else {
      let written = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [photo.path])
      #expect(written.status == 0, "\(written.errors)")
    }
    // In a movie, four letters after four bytes would be a cut box.
    let lead = Data([0, 0, 9, 0, 0xFF, 0xFE])
    if !name.hasSuffix("jxl") { try (try Data(contentsOf: photo) + lead + Data("SecretTrailer".utf8)).write(to: photo) }
    return photo
  }

  private static let secrets = [
    "SecretTitle", "SecretHistory", "SecretArtist", "SecretNote", "SecretText", "SecretTrailer", "Cirrus", "Borealis",
  ]

  /// The pixels of every frame, as ffmpeg or djxl decodes them.
  private func pixels(_ photo: URL) throws -> Data {
    if photo.pathExtension == "jxl" {
      let ppm = scratch.url.appending(path: "out.ppm")
      let answer = try Oracle.run("djxl", [photo.path, ppm.path])
      #expect(answer.status == 0, "\(answer.errors)")
      return try Data(contentsOf: ppm)
    }
    let answer = try Oracle.run(
      "ffmpeg", ["-v", "error", "-noautorotate", "-i", photo.path, "-f", "framemd5", "-pix_fmt", "rgba", "-"])
    #expect(answer.status == 0, "\(answer.errors)")
    return answer.output
  }

  @Test(
    "--all keeps the picture, its frames and their display, and erases every other text.",
    .enabled(if: Oracle.has("ffmpeg") && Oracle.has("djxl"), "ffmpeg or djxl is missing"),
    arguments: [
      "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "cirrus-06-ducks.gif", "borealis-09-moss.jxl",
      "borealis-06-ferns.tif", "cirrus-03-falls.mov", "borealis-07-swans.mp4", "borealis-08-ducks.3gp",
    ],
    [false, true])
  func all(name: String, keepsDate: Bool) throws {
    let photo = try secretive(name)
    let (hash, old, shown) = (try sha256(photo), try tags(photo), try pixels(photo))
    let options = keepsDate ? ["--keep", "date"] : []
    let clear = try tool.run(list: ["clear", "--all"] + options + [photo.path])
    #expect(clear.status == 0, "\(name) \(clear.text)")
    let bytes = try Data(contentsOf: photo)
    for secret in Self.secrets { #expect(!has(bytes, secret), "\(name) \(secret)") }
    // Some movies have the date in their headers alone, as a number.
    let isText = !name.hasSuffix("mp4") && !name.hasSuffix("3gp")
    #expect((has(bytes, "2024:05:18") || has(bytes, "2024-05-18")) == (keepsDate && isText), "\(name)")
    #expect(!has(bytes, "2024:06:01"))
    #expect(try pixels(photo) == shown, "\(name)")
    let new = try tags(photo)
    for key in old.keys
    where [
      "File:ImageW", "File:ImageH", "PNG:Image", "RIFF:Image", "IFD0:Orientation", "ExifIFD:ColorSpace", "Frames",
      "Animation",
    ]
    .contains(where: key.contains) {
      #expect("\(new[key] ?? "none")" == "\(old[key] ?? "none")", "\(name) \(key)")
    }
    for key in old.keys where key.hasPrefix("ICC") {
      #expect("\(new[key] ?? "none")" == "\(old[key] ?? "none")", "\(key)")
    }
    #expect(
      !new.keys.contains { $0.hasPrefix("GPS:") || !keepsDate && $0.hasPrefix("XMP") || $0 == "IFD0:Make" },
      "\(new.keys)")
    if ["tif", "mov", "mp4", "3gp"].contains(photo.pathExtension) { expectStructure(new, old, keepsDate: keepsDate) }
    let taken = try tool("show", "--jsonl", photo.path).text
    #expect(taken.contains("\"taken\":\"2024-05-18T") == keepsDate, "\(taken)")
    #expect(try tool.run(list: ["clear", "--all"] + options + [photo.path]).text.contains("unchanged"), "\(name)")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash, "\(name)")
  }

  /// Expects that exiftool finds only tags that the picture needs, with their old values.
  private func expectStructure(
    _ new: [String: any Sendable], _ old: [String: any Sendable], keepsDate: Bool
  ) {
    let groups = ["SourceFile", "ExifTool:", "System:", "File:", "Composite:", "ICC"]
    for (key, value) in new where !groups.contains(where: key.hasPrefix) {
      let name = String(key.split(separator: ":").last ?? "")
      if Self.zeroed.contains(where: name.hasSuffix) {
        #expect("\(value)" == "0000:00:00 00:00:00" || keepsDate, "\(key)")
      } else if keepsDate, name.contains("Date") || name.contains("OffsetTime") || name.contains("SubSec") {
        continue
      } else {
        #expect(Self.structure.contains(name), "\(key) = \(value)")
        let isNew = ["ExifVersion", "FreeBytes", "HandlerType"].contains(name)
        if !isNew { #expect("\(value)" == "\(old[key] ?? "none")", "\(key)") }
      }
    }
  }

  private static let zeroed = ["CreateDate", "ModifyDate"]
  private static let structure: Set<String> = [
    "SubfileType", "ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation",
    "StripOffsets", "SamplesPerPixel", "RowsPerStrip", "StripByteCounts", "XResolution", "YResolution",
    "PlanarConfiguration", "ResolutionUnit", "Orientation", "Predictor", "ExtraSamples", "SampleFormat", "ExifVersion",
    "ColorSpace", "PageNumber", "YCbCrPositioning",
    "MajorBrand", "MinorVersion", "CompatibleBrands", "MediaDataSize", "MediaDataOffset", "MovieHeaderVersion",
    "TimeScale", "Duration", "PreferredRate", "PreferredVolume", "PreviewTime", "PreviewDuration", "PosterTime",
    "SelectionTime", "SelectionDuration", "CurrentTime", "NextTrackID", "TrackHeaderVersion", "TrackID",
    "TrackDuration", "TrackLayer", "TrackVolume", "MatrixStructure", "MediaHeaderVersion", "MediaTimeScale",
    "MediaDuration", "MediaLanguageCode", "HandlerClass", "HandlerType", "GraphicsMode", "OpColor", "CompressorID",
    "SourceImageWidth", "SourceImageHeight", "BitDepth", "PixelAspectRatio", "BufferSize", "MaxBitrate",
    "AverageBitrate", "VideoFrameRate", "VideoFieldOrder", "ColorProfiles", "ColorPrimaries",
    "TransferCharacteristics", "MatrixCoefficients", "VideoFullRangeFlag", "Wide", "Free",
  ]

  @Test(
    "Animations keep every frame when everything is erased, and undo restores them.",
    .enabled(if: Oracle.has("ffmpeg"), "ffmpeg is missing"), arguments: [("gif", "gif"), ("apng", "png")])
  func animations(format: String, fileExtension: String) throws {
    let photo = scratch.url.appending(path: "a.\(fileExtension)")
    try makeAnimation(photo, ["-f", format])
    let shown = try pixels(photo)
    try expectFramesStay(in: photo) { () throws in #expect(try pixels(photo) == shown) }
  }

  // FFmpeg writes animated WebP, but doesn't decode it.
  @Test(
    "An animated WebP keeps its frames when everything is erased, and undo restores it.",
    .enabled(if: writesWebP, "ffmpeg is missing, or can't write animated WebP"))
  func animatedWebP() throws {
    let photo = scratch.url.appending(path: "a.webp")
    try makeAnimation(photo, ["-c:v", "libwebp_anim", "-f", "webp"])
    try expectFramesStay(in: photo)
  }

  private static let writesWebP =
    Oracle.has("ffmpeg")
    && (try? Oracle.run("ffmpeg", ["-v", "error", "-encoders"]).text.contains("libwebp_anim")) == true

  private func makeAnimation(_ photo: URL, _ options: [String]) throws {
    let made = try Oracle.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1"] + options + [photo.path])
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Erases everything from an animation and restores it. Calls `check` in between.
  private func expectFramesStay(in photo: URL, check: () throws -> Void = {}) throws {
    #expect(try tool("set", "--title", "SecretTitle", photo.path).status == 0)
    let hash = try sha256(photo)
    let frames = try tags(photo).filter { $0.key.contains("FrameCount") || $0.key.contains("Animation") }
    #expect(try tool("clear", "--all", photo.path).status == 0)
    #expect(!has(try Data(contentsOf: photo), "Secret"))
    try check()
    let left = try tags(photo)
    for (key, value) in frames { #expect("\(left[key] ?? "none")" == "\(value)", "\(key)") }
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "EXIF in the other byte order is erased too.",
    arguments: ["cirrus-04-signpost.png", "cirrus-05-rapids.webp"])
  func littleEndian(name: String) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let options = [
      "-q", "-overwrite_original", "-all=", "-ExifByteOrder=Little-endian", "-Orientation#=6", "-Make=SecretMake",
    ]
    #expect(try Oracle.run("exiftool", options + [photo.path]).status == 0)
    #expect(try tags(photo)["File:ExifByteOrder"] as? String == "II")
    let clear = try tool("clear", "--all", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    #expect(!has(try Data(contentsOf: photo), "SecretMake"))
    #expect(try tags(photo)["IFD0:Orientation"] as? Int == 6)
  }

  @Test(
    "A JPEG XL's embedded JPEG is given up only on request.", .enabled(if: Oracle.has("cjxl"), "cjxl is missing"))
  func reconstruction() throws {
    let jpeg = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    let photo = scratch.url.appending(path: "a.jxl")
    #expect(try Oracle.run("cjxl", ["--lossless_jpeg=1", jpeg.path, photo.path]).status == 0)
    let hash = try sha256(photo)
    let clear = try tool("clear", "--all", photo.path)
    #expect(clear.status == 1 && clear.text.contains("--jxl-jpeg drop"), "\(clear.text)")
    #expect(try sha256(photo) == hash)
    #expect(try tool("clear", "--all", "--jxl-jpeg", "drop", photo.path).status == 0)
    #expect(!has(try Data(contentsOf: photo), "Aurora"))
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "--date leaves no date in any format, and everything else stays.",
    arguments: [
      "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "cirrus-06-ducks.gif", "borealis-09-moss.jxl",
      "borealis-07-swans.mp4", "borealis-08-ducks.3gp", "cirrus-03-falls.mov", "cirrus-01-boat.mov",
    ])
  func dates(name: String) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    if name.hasSuffix("png") {
      let times = ["-PNG:ModifyDate=2024:05:18 10:00:00", "-PNG:CreationTime=2024:05:18 10:00:00"]
      #expect(try Oracle.run("exiftool", ["-q", "-overwrite_original"] + times + [photo.path]).status == 0)
    }
    let (hash, before) = (try sha256(photo), try tags(photo))
    let clear = try tool("clear", "--date", "--separately", photo.path)
    #expect(clear.status == 0, "\(name) \(clear.text)")
    let bytes = try Data(contentsOf: photo)
    for text in ["2024:05:18", "2024-05-18"] { #expect(!has(bytes, text), "\(name) \(text)") }
    let after = try tags(photo)
    let isDate = { (key: String) in
      ["Date", "CreationTime", "TimeStamp", "SubSec", "OffsetTime", "DateTime"].contains(where: key.contains)
    }
    let ignored = ["System:", "File:", "Composite:", "ICC", "MediaDataOffset", "MediaDataSize", "WebP_Flags"]
    for (key, value) in after where isDate(key) && !ignored.contains(where: key.contains) {
      #expect("\(value)" == "0000:00:00 00:00:00", "\(name) \(key)")
    }
    for (key, value) in before where !isDate(key) && !ignored.contains(where: key.contains) {
      #expect("\(value)" == "\(after[key] ?? "none")", "\(name) \(key)")
    }
    #expect(try tool("show", "--jsonl", photo.path).text.contains("taken") == false, "\(name)")
    #expect(try tool("clear", "--date", "--separately", photo.path).text.contains("unchanged"), "\(name)")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash, "\(name)")
  }

  @Test(
    "FFmpeg's copy of the movie header's time follows it.", .enabled(if: Oracle.has("ffmpeg"), "ffmpeg is missing"))
  func headerText() throws {
    let movie = scratch.url.appending(path: "a.mp4")
    let made = try Oracle.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-metadata",
        "creation_time=2024-05-18T10:48:00Z", "-movflags", "use_metadata_tags", movie.path,
      ])
    #expect(made.status == 0)
    let hash = try sha256(movie)
    #expect(has(try Data(contentsOf: movie), "2024-05-18T10:48:00Z"))
    #expect(try tool("date", "shift", "+1d1h", movie.path).status == 0)
    #expect(has(try Data(contentsOf: movie), "2024-05-19T11:48:00Z"))
    #expect(try tags(movie)["QuickTime:CreateDate"] as? String == "2024:05:19 11:48:00")
    #expect(try tool("date", "set", "2020-01-02T03:04:05+02:00", movie.path).status == 0)
    #expect(has(try Data(contentsOf: movie), "2020-01-02T01:04:05Z"))
    #expect(try tool("clear", "--date", movie.path).status == 0)
    #expect(!has(try Data(contentsOf: movie), "2020-01-02"))
    for _ in 0..<3 { #expect(try tool("undo").status == 0) }
    #expect(try sha256(movie) == hash)
  }
}
