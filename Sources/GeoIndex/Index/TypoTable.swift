/// The Latin names of 4 to 64 letters in the order of the alphabet, each once, in groups that begin alike: a search skips
/// a beginning together with all its names.
struct TypoTable {
  /// A beginning that several names have in common. Groups that begin with it and one more letter follow it.
  struct Group: BitwiseCopyable {
    /// The number of letters.
    let depth: UInt8
    /// The last letter; 0 if the group continues the one of as many letters, whose smaller groups come first.
    let letter: UInt8
    /// The numbers of letters of its shortest and its longest name, including those in smaller groups.
    var shortest: UInt8 = .max
    var longest: UInt8 = 0
    /// The number of the group after the last one with this beginning.
    var end: UInt32
    /// The offset in `names` of its first name that isn't in a smaller group. The names end where the next group's begin.
    let start: UInt32
    /// The first entry of the name before.
    let entry: UInt32

    fileprivate mutating func add(length: UInt8) {
      shortest = min(shortest, length)
      longest = max(longest, length)
    }
  }

  private(set) var groups: [Group] = []
  /// For each name, the number of letters in common with the name before, or if it is the first of a group, with the
  /// group; the number of other letters; these letters; the number of entries since the name before (LEB128).
  private(set) var names: [UInt8] = []

  static let lengths = 4...64
  /// The minimum number of names in a group.
  private static let groupCount = 12

  /// A name, by the position of its key and the number of its first entry.
  private struct Name {
    let position: Int
    let length: Int
    let entry: Int
  }

  /// The newest names: the one that comes `groupCount` - 1 names later shows whether a group begins.
  private var waiting: [Name] = []
  /// The number of entries that were added.
  private var count = 0
  /// The last name that was added.
  private var last: Name?
  /// The numbers of the groups of one letter, of two and so on, to which it belongs.
  private var open: [Int] = []

  /// Adds the next entry, in the order of the text.
  /// - Parameters:
  ///   - position: Where a name or a word begins.
  ///   - keys: The names, each terminated by a zero.
  mutating func add(_ position: Int, of keys: UnsafeBufferPointer<UInt8>) {
    defer { count += 1 }
    guard position == 0 || keys[position - 1] == 0, let length = Self.length(of: keys, at: position) else { return }
    if let newest = waiting.last, newest.length == length, Self.common(keys, newest.position, position) == length {
      return
    }
    waiting.append(Name(position: position, length: length, entry: count))
    guard waiting.count == Self.groupCount else { return }
    let name = waiting.removeFirst()
    add(name, keys, common: Self.common(keys, name.position, position))
  }

  /// Completes the table after the last entry.
  mutating func finish(_ keys: UnsafeBufferPointer<UInt8>) {
    for name in waiting { add(name, keys, common: 0) }
    waiting = []
    close(to: 0)
  }

  /// Adds a name, and the groups that begin with it.
  /// - Parameter common: The number of letters that it has in common with enough names for a group.
  private mutating func add(_ name: Name, _ keys: UnsafeBufferPointer<UInt8>, common: Int) {
    var shared = last.map { Self.common(keys, $0.position, name.position) } ?? 0
    let isFirst = close(to: shared) || groups.isEmpty || common > shared
    if isFirst, common <= shared { begin(depth: open.count, letter: 0) }
    while open.count < common {
      open.append(groups.count)
      begin(depth: open.count, letter: keys[name.position + open.count - 1])
    }
    for group in open { groups[group].add(length: UInt8(name.length)) }
    // It may continue the last of these.
    groups[groups.count - 1].add(length: UInt8(name.length))
    if isFirst { shared = open.count }
    names += [UInt8(shared), UInt8(name.length - shared)]
    names += keys[(name.position + shared)..<(name.position + name.length)]
    var entries = name.entry - (last?.entry ?? 0)
    while entries > 0x7F {
      names.append(UInt8(entries & 0x7F) | 0x80)
      entries >>= 7
    }
    names.append(UInt8(entries))
    last = name
  }

  private mutating func begin(depth: Int, letter: UInt8) {
    groups.append(
      Group(
        depth: UInt8(depth), letter: letter, end: UInt32(groups.count + 1), start: UInt32(names.count),
        entry: UInt32(last?.entry ?? 0)))
  }

  /// Ends the groups with more than `depth` letters.
  /// - Returns: Whether there are any.
  @discardableResult
  private mutating func close(to depth: Int) -> Bool {
    guard open.count > depth else { return false }
    for group in open[depth...] { groups[group].end = UInt32(groups.count) }
    open.removeSubrange(depth...)
    return true
  }

  /// Returns the length of a name; nil if it has other letters than a to z and digits, or too few or too many.
  private static func length(of keys: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
    var length = 0
    while keys[position + length] != 0 {
      guard keys[position + length] < 0x80, length < lengths.upperBound else { return nil }
      length += 1
    }
    return lengths.contains(length) ? length : nil
  }

  /// Returns the number of letters with which two names both begin.
  private static func common(_ keys: UnsafeBufferPointer<UInt8>, _ left: Int, _ right: Int) -> Int {
    var count = 0
    while keys[left + count] != 0, keys[left + count] == keys[right + count] { count += 1 }
    return count
  }
}

extension TypoTable {
  /// Reads the number of entries since the name before.
  @inline(__always)
  static func number(_ names: UnsafeBufferPointer<UInt8>, at next: inout Int) -> Int {
    var (number, shift) = (0, 0)
    while true {
      let byte = names[next]
      next += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
