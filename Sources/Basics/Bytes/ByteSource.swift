import CSys
import Glibc

/// Something whose bytes can be read by position: a file, or memory. Reads are checked: what lies outside throws.
@usableFromInline package protocol ByteSource: Sendable {
  /// Length in bytes.
  var count: Int { get }
  /// The bytes of `range`, or an error when it leaves `0..<count`.
  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes
}

extension ByteSource {
  /// `count` bytes from `offset`.
  @inlinable package func bytes(at offset: Int, count: Int) throws(FileError) -> Bytes {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else {
      throw FileError.endsTooSoon(needing: count, at: offset)
    }
    return try bytes(offset..<offset + count)
  }

  /// As many bytes from `offset` as there are, at most `count`.
  @inlinable package func prefix(at offset: Int, count: Int) throws(FileError) -> Bytes {
    let start = min(max(0, offset), self.count)
    return try bytes(start..<start + min(max(0, count), self.count - start))
  }
}

/// Bytes in memory that remember where in the file they began, so that every error can say so.
@usableFromInline package struct Bytes: ByteSource {
  /// In which order a number's bytes stand.
  @usableFromInline package enum Order: Sendable {
    case big
    case little
  }

  @usableFromInline let storage: ArraySlice<UInt8>
  /// Position of the first byte in the file.
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

  /// Whether these bytes stand at `offset`; false when they would leave the end.
  @inlinable package func has(_ pattern: some Collection<UInt8>) -> Bool { has(pattern, at: 0) }

  @inlinable package func has(_ pattern: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count, pattern.count <= count - offset else { return false }
    return storage[(storage.startIndex + offset)...].starts(with: pattern)
  }

  /// Position of the first `pattern` at or after `offset`.
  package func firstIndex(of pattern: [UInt8], from offset: Int = 0) -> Int? {
    let offset = max(0, offset)
    guard !pattern.isEmpty, offset < count else { return nil }
    return withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      // The system's search: gaps of megabytes are looked through.
      return csys_memmem(base + offset, buffer.count - offset, pattern, pattern.count).map { $0 - base }
    }
  }

  @inlinable package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try storage.withUnsafeBytes(body)
  }

  /// Whether `other` has the same bytes, wherever in a file they are.
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
  /// Whether just these bytes stand there.
  @inlinable package func holds(_ bytes: [UInt8]?, in range: Range<Int>) throws(FileError) -> Bool {
    guard let bytes, bytes.count == range.count else { return false }
    return try self.bytes(range).array == bytes
  }
}

extension FixedWidthInteger {
  /// The bytes of this number.
  @inlinable package func bytes(_ order: Bytes.Order) -> [UInt8] {
    Swift.withUnsafeBytes(of: order == .big ? bigEndian : littleEndian) { Array($0) }
  }
}

extension FileError {
  /// So many bytes should follow `offset`, and don't.
  @usableFromInline package static func endsTooSoon(needing count: Int, at offset: Int) -> FileError {
    FileError(.truncated, "the file ends too soon: \(count) more bytes should stand here", at: max(0, offset))
  }
}
