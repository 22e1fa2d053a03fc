import CSys
import Glibc

/// A sequence of bytes that can be read by position: a file or memory. Reads are checked: positions outside throw.
@usableFromInline package protocol ByteSource: Sendable {
  /// The length in bytes.
  var count: Int { get }
  /// Returns the bytes of `range`.
  ///
  /// - Throws: An error if `range` is not within `0..<count`.
  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes
}

extension ByteSource {
  /// Returns `count` bytes from `offset`.
  @inlinable package func bytes(at offset: Int, count: Int) throws(FileError) -> Bytes {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else {
      throw FileError.endsTooSoon(needing: count, at: offset)
    }
    return try bytes(offset..<offset + count)
  }

  /// Returns the bytes from `offset` on, at most `count`.
  @inlinable package func prefix(at offset: Int, count: Int) throws(FileError) -> Bytes {
    let start = min(max(0, offset), self.count)
    return try bytes(start..<start + min(max(0, count), self.count - start))
  }
}

/// Bytes in memory that remember their position in the file, so that every error can report it.
@usableFromInline package struct Bytes: ByteSource {
  /// The order of the bytes of a number.
  @usableFromInline package enum Order: Sendable {
    case big
    case little
  }

  @usableFromInline let storage: ArraySlice<UInt8>
  /// The position of the first byte in the file.
  @usableFromInline package let base: Int

  @inlinable package init(_ bytes: [UInt8]) { self.init(bytes[...], base: 0) }

  @inlinable package init(_ bytes: [UInt8], base: Int) { self.init(bytes[...], base: base) }

  @inlinable package init(_ bytes: ArraySlice<UInt8>, base: Int) {
    storage = bytes
    self.base = base
  }

  @inlinable package var count: Int { storage.count }
  @inlinable package var array: [UInt8] { Array(storage) }

  @inlinable package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    try check(range.lowerBound, range.count)
    let start = storage.startIndex + range.lowerBound
    return Bytes(storage[start..<start + range.count], base: base + range.lowerBound)
  }

  @inlinable package func u8(_ offset: Int) throws(FileError) -> UInt8 {
    try check(offset, 1)
    return storage[storage.startIndex + offset]
  }

  @inlinable package func u16(_ offset: Int, _ order: Order) throws(FileError) -> UInt16 { try integer(offset, order) }
  @inlinable package func u32(_ offset: Int, _ order: Order) throws(FileError) -> UInt32 { try integer(offset, order) }
  @inlinable package func u64(_ offset: Int, _ order: Order) throws(FileError) -> UInt64 { try integer(offset, order) }

  /// Whether the bytes begin with `pattern`, or have it at `offset`; false if the pattern would exceed the end.
  @inlinable package func has(_ pattern: some Collection<UInt8>) -> Bool { has(pattern, at: 0) }

  @inlinable package func has(_ pattern: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count, pattern.count <= count - offset else { return false }
    return storage[(storage.startIndex + offset)...].starts(with: pattern)
  }

  /// Returns the position of the first `pattern` at or after `offset`; nil if there is no match.
  package func firstIndex(of pattern: [UInt8], from offset: Int = 0) -> Int? {
    let offset = max(0, offset)
    guard !pattern.isEmpty, offset < count else { return nil }
    return withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      // The C library's search, because gaps of megabytes are searched.
      return csys_memmem(base + offset, buffer.count - offset, pattern, pattern.count).map { $0 - base }
    }
  }

  @inlinable package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try storage.withUnsafeBytes(body)
  }

  /// Whether `other` has the same bytes, at whatever position in a file.
  package func isEqual(to other: Bytes) -> Bool {
    withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard mine.count == theirs.count, let start = mine.baseAddress, let otherStart = theirs.baseAddress else {
          return mine.count == theirs.count
        }
        return memcmp(start, otherStart, mine.count) == 0
      }
    }
  }

  @inlinable func integer<T: FixedWidthInteger>(_ offset: Int, _ order: Order) throws(FileError) -> T {
    try check(offset, MemoryLayout<T>.size)
    let value = storage.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    return order == .big ? T(bigEndian: value) : T(littleEndian: value)
  }

  @inlinable func check(_ offset: Int, _ wanted: Int) throws(FileError) {
    guard offset >= 0, wanted >= 0, offset <= count, wanted <= count - offset else {
      throw FileError.endsTooSoon(needing: wanted, at: base + min(offset, count))
    }
  }
}

extension ByteSource {
  /// Whether `range` holds exactly these bytes.
  @inlinable package func holds(_ bytes: [UInt8]?, in range: Range<Int>) throws(FileError) -> Bool {
    guard let bytes, bytes.count == range.count else { return false }
    return try self.bytes(range).array == bytes
  }
}

extension FixedWidthInteger {
  /// Returns the bytes of this number.
  @inlinable package func bytes(_ order: Bytes.Order) -> [UInt8] {
    Swift.withUnsafeBytes(of: order == .big ? bigEndian : littleEndian) { Array($0) }
  }
}

extension FileError {
  /// Creates the error that fewer than `count` bytes follow `offset`.
  @usableFromInline package static func endsTooSoon(needing count: Int, at offset: Int) -> FileError {
    FileError(.truncated, "unexpected end of file: expected \(count) more bytes", at: max(0, offset))
  }
}

/// A range of a file that is read like a file of its own.
package struct SourcePart: ByteSource {
  private let whole: any ByteSource
  private let range: Range<Int>

  /// Creates a source of the bytes in `range` of another.
  /// - Throws: An error if `range` is not within the file.
  package init(_ whole: any ByteSource, _ range: Range<Int>) throws(FileError) {
    guard range.lowerBound >= 0, range.upperBound <= whole.count else {
      throw FileError.endsTooSoon(needing: range.count, at: range.lowerBound)
    }
    (self.whole, self.range) = (whole, range)
  }

  package var count: Int { range.count }

  package func bytes(_ part: Range<Int>) throws(FileError) -> Bytes {
    guard part.lowerBound >= 0, part.upperBound <= count else {
      throw FileError.endsTooSoon(needing: part.count, at: range.lowerBound + part.lowerBound)
    }
    return try whole.bytes(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}

/// A file followed by data that it contains in encoded form: compressed, or written as text.
package struct UnpackedSource: ByteSource {
  package let file: any ByteSource
  package let unpacked: [UInt8]

  package init(file: any ByteSource, unpacked: [UInt8]) {
    self.file = file
    self.unpacked = unpacked
  }

  package var count: Int { file.count + unpacked.count }

  /// Returns the bytes of `range`, which may cross from the file into the decoded data: searches of all bytes need
  /// that.
  package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.upperBound > file.count else { return try file.bytes(range) }
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(max(0, range.lowerBound), count))
    }
    let start = max(range.lowerBound, file.count)
    let behind = unpacked[start - file.count..<range.upperBound - file.count]
    guard range.lowerBound < file.count else { return Bytes(behind, base: range.lowerBound) }
    return Bytes(try file.bytes(range.lowerBound..<file.count).array + behind, base: range.lowerBound)
  }
}
