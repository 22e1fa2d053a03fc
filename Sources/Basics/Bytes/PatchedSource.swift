/// The content that a file will have once a patch is applied, without writing it.
@usableFromInline package struct PatchedSource<Old: ByteSource>: ByteSource {
  @usableFromInline package let old: Old
  @usableFromInline package let patch: Patch
  @usableFromInline let pieces: [Piece]

  @inlinable package init(old: Old, patch: Patch) {
    (self.old, self.patch, pieces) = (old, patch, patch.pieces)
  }

  @inlinable package var count: Int { patch.newCount }

  @inlinable package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(range.lowerBound, count))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for piece in pieces {
      let part = piece.position.clamped(to: range)
      guard !part.isEmpty else { continue }
      let within = part.lowerBound - piece.position.lowerBound..<part.upperBound - piece.position.lowerBound
      switch piece.content {
      case .kept(let range):
        let kept = try old.bytes(range.lowerBound + within.lowerBound..<range.lowerBound + within.upperBound)
        kept.withUnsafeBytes { bytes += $0 }
      case .new(let new): bytes += new[within]
      }
    }
    return Bytes(bytes, base: range.lowerBound)
  }
}

/// A part of the file that a patch produces.
@usableFromInline package struct Piece: Sendable {
  /// The origin of a part's bytes.
  @usableFromInline package enum Content: Sendable {
    /// Bytes copied from these positions of the old file.
    case kept(Range<Int>)
    case new([UInt8])
  }

  /// The range in the new file.
  @usableFromInline package let position: Range<Int>
  @usableFromInline package let content: Content
}

extension Patch {
  /// The parts of the new file, from its first byte to its last.
  @usableFromInline package var pieces: [Piece] {
    var pieces: [Piece] = []
    var at = 0
    func append(_ content: Piece.Content, _ count: Int) {
      guard count > 0 else { return }
      let start = pieces.last?.position.upperBound ?? 0
      pieces.append(Piece(position: start..<start + count, content: content))
    }
    for splice in splices {
      append(.kept(at..<splice.range.lowerBound), splice.range.lowerBound - at)
      append(.new(splice.bytes), splice.bytes.count)
      at = splice.range.upperBound
    }
    append(.kept(at..<oldCount), oldCount - at)
    return pieces
  }
}

extension ByteSource {
  /// Returns these bytes as they will be after `patch`.
  package func patched(by patch: Patch) -> any ByteSource { PatchedSource(old: self, patch: patch) }

  /// Returns the SHA-256 of `ranges`, concatenated, holding at most 1 MiB in memory.
  package func digest(_ ranges: [Range<Int>]) throws(FileError) -> [UInt8] {
    var hash = try SHA256()
    for range in ranges {
      var at = range.lowerBound
      while at < range.upperBound {
        let end = min(at + 1 << 20, range.upperBound)
        try bytes(at..<end).withUnsafeBytes { hash.update($0) }
        at = end
      }
    }
    return hash.finish()
  }

  /// Returns the SHA-256 of all bytes.
  package func digest() throws(FileError) -> [UInt8] { try digest([0..<count]) }
}
