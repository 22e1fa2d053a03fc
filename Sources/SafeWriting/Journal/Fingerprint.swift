import CSys
import Foundation

/// A fingerprint that recognizes a file wherever it is: its length, the bytes outside its image data, and samples of
/// its image data.
///
/// It is computed for every file that is written, so it must be cheap: the checksums are not cryptographic, and of the
/// image data only the length, the beginning and the end count. The ranges of the image data are recorded too, so that
/// checking a file needs no parsing.
struct Fingerprint: Hashable, Sendable {
  private typealias Sum = (UInt64, UInt64)

  /// The number of bytes sampled at each end of the image data.
  private static let sample = 4096
  /// The number of bytes outside the image data that count at each end: raw files hold whole previews there.
  private static let outside = 1 << 18
  /// The largest number of image data ranges that are recorded. If there are more, the largest are recorded; the others
  /// count as outside.
  private static let mostRanges = 16

  /// The bytes that the journal stores.
  let data: Data

  /// Computes the fingerprint of a file.
  /// - Parameter pictures: The ranges of the file's image data.
  init(of file: some ByteSource, pictures: [Range<Int>]) throws(FileError) {
    var pictures = pictures
    if pictures.count > Fingerprint.mostRanges {
      pictures = pictures.merged().sorted { $0.count > $1.count }.prefix(Fingerprint.mostRanges)
        .sorted { $0.lowerBound < $1.lowerBound }
    }
    try self.init(taking: pictures, of: file)
  }

  init(_ data: Data) { self.data = data }

  private init(taking pictures: [Range<Int>], of file: some ByteSource) throws(FileError) {
    let outside = try Fingerprint.sum([0..<file.count].excluding(pictures), of: file, Fingerprint.outside)
    let inside = try Fingerprint.sum(pictures, of: file, Fingerprint.sample)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * (5 + 2 * pictures.count))
    func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    add(UInt64(file.count))
    for number in [outside.0, outside.1, inside.0, inside.1] { add(number) }
    for range in pictures {
      add(UInt64(range.lowerBound))
      add(UInt64(range.upperBound))
    }
    data = Data(bytes)
  }

  /// The length of the file, four halves of checksums, and the bounds of each range of image data.
  var numbers: [UInt64] {
    stride(from: 0, to: data.count - 7, by: 8).map { at in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(data[data.startIndex + at + $1]) << (8 * UInt64($1)) }
    }
  }

  /// Whether both files may show the same picture: their image data have equal length, or one has none recorded. The
  /// bytes may differ, as the image data may have been rewritten.
  func mayShowPicture(of other: Fingerprint) -> Bool {
    func length(_ numbers: [UInt64]) -> UInt64 {
      stride(from: 5, to: numbers.count - 1, by: 2).reduce(0) { $0 &+ numbers[$1 + 1] &- numbers[$1] }
    }
    let (own, others) = (length(numbers), length(other.numbers))
    return own == 0 || others == 0 || own == others
  }

  /// Whether `file` matches this fingerprint.
  func isOf(_ file: some ByteSource) throws(FileError) -> Bool {
    let numbers = numbers
    guard numbers.count >= 5, !numbers.count.isMultiple(of: 2), data.count == 8 * numbers.count,
      numbers[0] == UInt64(file.count)
    else { return false }
    var (pictures, end): ([Range<Int>], Int) = ([], 0)
    for at in stride(from: 5, to: numbers.count, by: 2) {
      guard let lower = Int(exactly: numbers[at]), let upper = Int(exactly: numbers[at + 1]), end <= lower,
        lower <= upper, upper <= file.count
      else { return false }
      pictures.append(lower..<upper)
      end = upper
    }
    return try Fingerprint(taking: pictures, of: file) == self
  }

  /// Returns a checksum of at most `most` bytes at the beginning and at the end of `ranges`, read as one sequence.
  private static func sum(_ ranges: [Range<Int>], of file: some ByteSource, _ most: Int) throws(FileError) -> Sum {
    let count = ranges.reduce(0) { $0 + $1.count }
    var sum: Sum = (UInt64(count), UInt64(ranges.count))
    var at = 0
    for range in ranges {
      let end = at + range.count
      for (lower, upper) in [(at, min(most, end)), (max(most, count - most, at), end)] where lower < upper {
        var position = range.lowerBound + lower - at
        let last = range.lowerBound + upper - at
        while position < last {
          let next = min(position + 1 << 20, last)
          try file.bytes(position..<next).withUnsafeBytes { bytes in
            csys_sum128(bytes.baseAddress, bytes.count, &sum.0, &sum.1)
          }
          position = next
        }
      }
      at = end
    }
    return sum
  }
}
