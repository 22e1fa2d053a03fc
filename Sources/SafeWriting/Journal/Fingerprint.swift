import CSys
import Foundation

/// What tells a file from others wherever it is: its length, the bytes outside its picture, and its picture.
///
/// It is taken of every file that is written, so it has to be cheap: the check sums are not cryptographic, and of
/// pictures only the length, the beginning and the end count. The ranges are recorded too: checking a file needs no
/// parsing.
struct Fingerprint: Hashable, Sendable {
  private typealias Sum = (UInt64, UInt64)

  /// So many bytes at either end of the pictures.
  private static let sample = 4096
  /// Of the bytes outside the pictures, so many at either end count: raw files hold whole previews there.
  private static let outside = 1 << 18
  /// Formats that lay pictures out in many pieces have the largest of them recorded; the others count as outside.
  private static let mostRanges = 16

  /// As the journal has it.
  let data: Data

  /// - Parameter pictures: Where its picture data lie.
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

  private var numbers: [UInt64] {
    stride(from: 0, to: data.count - 7, by: 8).map { at in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(data[data.startIndex + at + $1]) << (8 * UInt64($1)) }
    }
  }

  /// Whether its picture can be that of `other`. Pictures of one length count as one: they may have been written anew.
  func mayShowPicture(of other: Fingerprint) -> Bool {
    func length(_ numbers: [UInt64]) -> UInt64 {
      stride(from: 5, to: numbers.count - 1, by: 2).reduce(0) { $0 &+ numbers[$1 + 1] &- numbers[$1] }
    }
    let (own, others) = (length(numbers), length(other.numbers))
    return own == 0 || others == 0 || own == others
  }

  /// Whether a file is the one it was taken of, as far as it tells.
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

  /// A check sum of so many bytes at the beginning and the end of `ranges`, read as one.
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
