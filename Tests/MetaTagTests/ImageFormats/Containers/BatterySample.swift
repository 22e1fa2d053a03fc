@testable import ImageFormats
import TestSupport
import Testing

@testable import MetaTag

/// A file on which the tests of every container run.
struct BatterySample: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: Bytes
  /// The number of bytes that may be missing at its end without an edit being refused.
  var tailCount = 0

  var testDescription: String { name }

  private static let place = Sample.place(
    [Rational(47, 1), Rational(36, 1), Rational(0, 1)], "N", [Rational(1, 1), Rational(2, 1), Rational(3, 1)], "W")

  /// Samples of every format in `containers`.
  static let all: [BatterySample] = jpegs + tiffs + heifs + raws + movies + pictures

  /// Samples of formats that are only read.
  static let readOnly = [
    BatterySample(name: "RAF", bytes: RawSample.raf(), tailCount: 64),
    BatterySample(name: "MRW", bytes: RawSample.mrw(), tailCount: 64),
    BatterySample(name: "X3F", bytes: RawSample.x3f(hasJPEG: true)),
    BatterySample(name: "X3F without EXIF", bytes: RawSample.x3f(hasJPEG: false)),
    BatterySample(name: "CRW", bytes: RawSample.crw()),
    BatterySample(name: "JPEG 2000", bytes: JPEG2000Tests.sample),
  ]

  private static let jpegs = JPEGTests.samples.map { name, segments in
    let photo = Sample.jpeg(segments, trailer: Array("trailer".utf8))
    // Everything from the scan on is pixels and trailing data.
    let scan = (try? JPEGSegments(of: photo).scan) ?? 0
    return BatterySample(name: "JPEG, \(name)", bytes: photo, tailCount: photo.count - scan)
  }

  private static let tiffs = [
    BatterySample(name: "TIFF, II", bytes: TIFFTests.photo(.little)),
    BatterySample(name: "TIFF, MM", bytes: TIFFTests.photo(.big)),
    BatterySample(name: "TIFF with a place", bytes: TIFFTests.photo(gps: place)),
  ]

  private static let heifs = HEIFTests.samples.map { name, sample in
    BatterySample(name: "HEIF, \(name)", bytes: sample.bytes, tailCount: sample.tail.count)
  }

  private static let raws = [
    BatterySample(name: "CR3", movie: CR3Sample.raw()),
    BatterySample(name: "CR3 with a place", movie: CR3Sample.raw(gps: place)),
    BatterySample(name: "NEF", bytes: RawSample.nef(), tailCount: 1),
    BatterySample(name: "CR2 with a place", bytes: RawSample.cr2(gps: place), tailCount: 1),
    BatterySample(name: "ORF, II", bytes: RawSample.orf(.little), tailCount: 1),
    BatterySample(name: "ORF, MM", bytes: RawSample.orf(.big), tailCount: 1),
    BatterySample(name: "RW2", bytes: RawSample.rw2(), tailCount: 64),
    BatterySample(name: "RW2 with a place", bytes: RawSample.rw2(gps: place), tailCount: 64),
  ]

  private static let pictures =
    PNGTests.samples.compactMap { name, sample in
      (try? sample.bytes).map { BatterySample(name: "PNG, \(name)", bytes: $0, tailCount: sample.trailer.count) }
    }
    + WebPTests.samples.map { BatterySample(name: "WebP, \($0)", bytes: $1, tailCount: $0 == "lossless" ? 3 : 0) }
    + XMPFileTests.samples.map { BatterySample(name: "XMP, \($0)", bytes: $1, tailCount: 4_019) }
    + GIFTests.samples.map { BatterySample(name: "GIF, \($0)", bytes: $1, tailCount: GIFTests.tail(of: $1)) }
    + JXLTests.samples.map { BatterySample(name: "JPEG XL, \($0)", bytes: $1, tailCount: JXLTests.tail(of: $1)) }

  private static let movies = MovieTests.samples.map { BatterySample(name: "movie, \($0)", movie: $1) }
}

extension BatterySample {
  /// After `moov` come media data and free room.
  fileprivate init(name: String, movie: Bytes) {
    let end = (try? MovieFile(of: movie).moov.range.upperBound) ?? 0
    self.init(name: name, bytes: movie, tailCount: movie.count - end)
  }
}
