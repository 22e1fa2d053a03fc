import CSys

/// An incremental SHA-256 computation (FIPS 180-4).
package struct SHA256: ~Copyable {
  private let hash: UnsafeMutableRawPointer
  private var isOpen = true

  /// Begins a checksum.
  /// - Throws: `.io` if libcrypto fails. Without the error, all hashes that failed would be equal.
  package init() throws(FileError) {
    guard let hash = csys_sha256_begin() else {
      throw FileError(.io, "could not compute the SHA-256 checksum: libcrypto has no SHA-256 or no memory")
    }
    self.hash = hash
  }

  deinit {
    guard isOpen else { return }
    var rest = [UInt8](repeating: 0, count: 32)
    csys_sha256_end(hash, &rest)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    csys_sha256_update(hash, bytes.baseAddress, bytes.count)
  }

  package mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    csys_sha256_end(hash, &digest)
    isOpen = false
    return digest
  }
}
