/// The check for values that no photo may get. The command line and plans refuse them in their own words; this checks
/// the edits of library clients before anything is computed.
extension MetadataEdit {
  /// Checks the edit.
  /// - Throws: `.refused`, with the cause, for texts that would garble a packet, and for values of the wrong kind or
  ///   out of the range of their field.
  func requireRecordable() throws(FileError) {
    do throws(ParseError) {
      try location.value?.requireRecordable()
      try names.value?.requireRecordable()
      for (field, change) in fields {
        if let value = change.value { try field.require(value) }
      }
      for keyword in addedKeywords { try TagValue.require(keyword, for: "a keyword") }
      for (tag, change) in tags {
        if let value = change.value { try tag.require(value, called: tag.key) }
      }
      for (path, change) in properties {
        try path.requireEditable()
        if let text = change.value { _ = try text.requirePrintable(multiline: true) }
      }
      try requireSingleItems()
    } catch {
      throw FileError(.invalidValue, error.description, remedy: error.remedy)
    }
  }
}

extension MetadataEdit {
  /// Checks that no item of an array in XMP is removed while others change: their positions would change, too.
  private func requireSingleItems() throws(ParseError) {
    for (path, change) in properties where change == .remove && path.choosesItem {
      guard let other = properties.keys.first(where: { $0 != path && $0.isOfSameProperty(as: path) }) else { continue }
      let names = ["\(path)", "\(other)"].sorted()
      throw ParseError("'\(names[0])' and '\(names[1])' can't be changed together", remedy: .setSeparately)
    }
  }
}

extension Location {
  /// Checks the values of the location.
  /// - Throws: `ParseError` for values that are out of range or no number.
  func requireRecordable() throws(ParseError) {
    if let altitude, !Location.altitudes.contains(altitude) {
      throw ParseError("an altitude of \(altitude) m is out of range (-11000 to 100000)")
    }
    let sizes = [("a speed", speed), ("an error", horizontalError), ("a dilution of precision", dilutionOfPrecision)]
    for (name, size) in sizes {
      guard let size, !Location.sizes.contains(size) else { continue }
      throw ParseError("\(name) of \(size) is out of range (0 to 1000000000)")
    }
    if let timestamp, CivilTime(secondsSince1970: timestamp.seconds) == nil {
      throw ParseError("the time of its fix is outside the years that can be recorded")
    }
    if let method = processingMethod, !method.isPrintableASCII {
      throw ParseError("the processing method of a position must be an ASCII word, such as GPS")
    }
  }

  /// The location without details that no photo may get, since they are out of range.
  var recordable: Location {
    var location = self
    location.altitude = altitude.flatMap { Location.altitudes.contains($0) ? $0 : nil }
    for size in [\Location.speed, \.horizontalError, \.dilutionOfPrecision] {
      if let value = location[keyPath: size], !Location.sizes.contains(value) { location[keyPath: size] = nil }
    }
    if processingMethod?.isPrintableASCII == false { location.processingMethod = nil }
    return location
  }
}

extension PlaceNames {
  /// Checks the names.
  /// - Throws: `ParseError` for names with control characters.
  fileprivate func requireRecordable() throws(ParseError) {
    for name in [sublocation, city, state, country, countryCode] {
      _ = try name?.requirePrintable(multiline: true)
    }
  }
}

extension PhotoField {
  /// Checks a value of the field.
  /// - Throws: `ParseError` for a value of the wrong kind or out of range.
  fileprivate func require(_ value: TagValue) throws(ParseError) {
    switch (self, value) {
    case (.title, .text(let text)): try TagValue.require(text, for: rawValue)
    case (.keywords, .list(let words)) where !words.isEmpty:
      for word in words { try TagValue.require(word, for: "a keyword") }
    case (.keywords, .list): throw ParseError("keywords can't be an empty list: remove the field to have none")
    case (.title, _), (.keywords, _): throw ParseError("\(rawValue) can't be \(value.planText): expected \(wanted)")
    case (.iso, .whole(let numbers)) where numbers.count == 1 && 1...Int(UInt32.max) ~= numbers[0]: break
    case (.rating, .whole(let numbers)) where numbers.count == 1 && 0...5 ~= numbers[0]: break
    case (.iso, _), (.rating, _): throw ParseError("\(rawValue) can't be \(value.planText): expected \(wanted)")
    case (.aperture, .fractions(let sizes)), (.shutter, .fractions(let sizes)), (.focalLength, .fractions(let sizes)):
      guard sizes.allSatisfy({ $0.numerator > 0 }) else {
        throw ParseError("\(rawValue) can't be \(value.planText): expected more than 0")
      }
      try tag?.require(value, called: rawValue)
    default: try tag?.require(value, called: rawValue)
    }
  }

  private var wanted: String {
    switch self {
    case .keywords: "a list of texts"
    case .iso: "one whole number from 1 to \(UInt32.max)"
    case .rating: "one whole number from 0 to 5"
    default: "a text"
    }
  }
}

extension EXIFTag {
  /// Checks a value of the tag.
  /// - Throws: `ParseError` for a value of the wrong kind, or one that doesn't fit.
  fileprivate func require(_ value: TagValue, called name: String) throws(ParseError) {
    let fits: Bool
    switch (kind, value) {
    case (.ascii, .text(let text)), (.comment, .text(let text)): return try TagValue.require(text, for: name)
    case (.code, .whole(let numbers)), (.short, .whole(let numbers)), (.long, .whole(let numbers)):
      fits = counts.contains(numbers.count) && numbers.allSatisfy { 0...(kind.limit ?? 0) ~= $0 }
    case (.rational, .fractions(let sizes)):
      fits = counts.contains(sizes.count) && sizes.allSatisfy { $0.numerator >= 0 }
    case (.signedRational, .fractions(let sizes)):
      fits =
        counts.contains(sizes.count)
        && sizes.allSatisfy { max(Int64($0.numerator.magnitude), $0.denominator) <= Int32.max }
    default: fits = false
    }
    guard !fits else { return }
    throw ParseError("\(name) can't be \(value.planText): expected \(wanted)")
  }

  /// A description of the values that the tag accepts: `one whole number from 0 to 255`.
  private var wanted: String {
    let several = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    let count = counts == 1...1 ? "one" : several
    let plural = counts == 1...1 ? "" : "s"
    return switch kind {
    case .ascii, .comment: "a text"
    case .code, .short, .long: "\(count) whole number\(plural) from 0 to \(kind.limit ?? 0)"
    case .rational: "\(count) fraction\(plural), not below 0, of 32 bits"
    case .signedRational: "\(count) fraction\(plural) of 32 bits"
    }
  }
}

extension TagValue {
  /// Checks a text. `
  /// ` and `\t` are accepted.
  /// - Throws: `ParseError` for a text that is empty, or that XML and EXIF can't represent.
  fileprivate static func require(_ text: String, for name: String) throws(ParseError) {
    guard !text.trimmed.isEmpty else { throw ParseError("\(name) can't be an empty text") }
    _ = try text.requirePrintable(multiline: true)
  }
}

extension String {
  fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}
