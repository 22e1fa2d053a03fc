import SystemPackage

/// File names, found by what precedes their last dot. A run keeps those of all its folders, so they take little memory: their
/// bytes and a number for each.
struct NamesByStem: Sendable {
  /// The names one after the other, in the order of their stems.
  private var bytes: [UInt8] = []
  /// Where each name ends in `bytes`.
  private var ends: [Int] = []

  /// Keeps the names that have a dot.
  init(_ names: [FilePath.Component]) {
    let sorted = names.map(\.bytes).filter { $0.contains(Self.point) }.sorted { a, b in
      let (first, second) = (Self.stem(of: a[...]), Self.stem(of: b[...]))
      return first.elementsEqual(second)
        ? a.lexicographicallyPrecedes(b) : first.lexicographicallyPrecedes(second)
    }
    bytes.reserveCapacity(sorted.reduce(0) { $0 + $1.count })
    ends.reserveCapacity(sorted.count)
    for name in sorted {
      bytes += name
      ends.append(bytes.count)
    }
  }

  /// The names with this stem, in the order of their bytes.
  subscript(stem: [UInt8]) -> [FilePath.Component] {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.stem(of: name(middle)).lexicographicallyPrecedes(stem) { low = middle + 1 } else { high = middle }
    }
    return (low..<ends.count).lazy.map(name).prefix { Self.stem(of: $0).elementsEqual(stem) }
      .compactMap { FilePath.Component(Array($0)) }
  }

  /// All names.
  var all: some Sequence<FilePath.Component> {
    ends.indices.lazy.compactMap { FilePath.Component(Array(name($0))) }
  }

  private func name(_ index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

  private static let point = UInt8(ascii: ".")

  private static func stem(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name[..<(name.lastIndex(of: point) ?? name.endIndex)]
  }
}
