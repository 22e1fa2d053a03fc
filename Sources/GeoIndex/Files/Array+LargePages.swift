import CSys

extension Array {
  /// Reserves capacity for `count` elements, in large pages if the system has some: access will be random.
  mutating func reserveLargePages(for count: Int) {
    reserveCapacity(count)
    withUnsafeMutableBufferPointer { csys_large_pages($0.baseAddress, UInt(count * MemoryLayout<Element>.stride)) }
  }
}
