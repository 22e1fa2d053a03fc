extension PartialDate {
  /// Parses a file name that contains only a year, or a year and a month: `Urlaub 1975.jpg`, `1975-08 Oma.jpg`; nil for
  /// any other.
  ///
  /// Numbers that look like years may count pictures (`IMG_1975`), name a camera (`Canon 1975`) or be measurements
  /// (`1920 px`), so the rules are strict. A year is four digits from 1840 on that are separate, in a name with no
  /// other number of more than three digits, and next to words that don't imply another meaning. A full century
  /// (`Windows 2000`) counts only at the beginning of the name or in brackets. A month is two digits after the year:
  /// `1975-08`, or at the beginning of the name also `1975_08`.
  public init?(fileName: String) {
    let whole = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    let name = whole.replacing(#/ ?\([0-9]{1,3}\)$/#, with: "")
    let numbers = name.matches(of: /[0-9]+/)
    let years = numbers.filter { $0.output.count == 4 && ("1840"..."2099").contains($0.output) }
    guard years.count == 1, let year = years.first, let number = Int(year.output),
      numbers.allSatisfy({ $0.output.count <= 3 || $0.range == year.range })
    else { return nil }
    let (before, behind) = (name[..<year.range.lowerBound], name[year.range.upperBound...])
    guard PartialDate.mayStand(before: before), PartialDate.mayStand(behind: behind) else { return nil }
    if let match = behind.prefixMatch(of: /[-_]([0-9]{2})(?:$| |[-_](?=\p{L}))/) {
      // `Urlaub 1975_03` may be its third picture, and `1975-78` a range of years.
      guard before.isEmpty || behind.first == "-", let month = Int(match.1), (1...12).contains(month) else {
        return nil
      }
      self.init(year: number, month: month)
    } else {
      guard behind.prefixMatch(of: /[-_][0-9]{1,2}(?![0-9])/) == nil else { return nil }
      guard number % 100 != 0 || before.isEmpty || "([".contains(before.last ?? " ") else { return nil }
      self.init(year: number)
    }
  }

  /// Whether a year can follow this beginning of a name.
  private static func mayStand(before text: Substring) -> Bool {
    guard let last = text.last else { return true }
    guard let match = text.firstMatch(of: /(\p{L}*)[^\p{L}0-9]*$/) else { return false }
    let word = match.1
    guard !notYears.contains(word.lowercased()) else { return false }
    switch last {
    case " ", "(", "[":
      return text.last { $0 != " " && $0 != "(" && $0 != "[" }.map { $0.isLetter || $0 == "," } ?? true
    // Cameras write short names in capitals.
    case "_", "-": return word.count >= 4 && word.contains { $0.isLowercase }
    default: return false
    }
  }

  /// Whether a year can precede this end of a name.
  private static func mayStand(behind text: Substring) -> Bool {
    guard let first = text.first else { return true }
    guard " _-)],".contains(first) else { return false }
    let word = text.firstMatch(of: /^[^\p{L}0-9]*(\p{L}*)/)?.1 ?? ""
    return !units.contains(word.lowercased())
  }

  /// Words after which a number is not a year.
  private static let notYears: Set = [
    "img", "image", "dsc", "dscn", "dscf", "dscs", "pict", "pic", "picture", "mvi", "mov", "vid", "video", "sam",
    "gopr", "gp", "dji", "pxl", "photo", "foto", "bild", "immagine", "imagen", "scan", "scn", "file", "frame", "page",
    "seite", "nr", "no", "number", "num", "film", "roll", "rolle", "dia", "slide", "negativ", "track", "copy", "kopie",
    "edit", "screenshot", "wallpaper", "desktop", "resized", "size", "width", "height", "breite", "full", "canon",
    "nikon", "sony", "fuji", "fujifilm", "olympus", "leica", "pentax", "samsung", "apple", "iphone", "gopro",
    "panasonic", "minolta", "kodak", "epson", "hp", "model", "wa", "id", "room", "zimmer", "route", "version", "v",
  ]

  /// Units and other words before which a number is not a year.
  private static let units: Set = [
    "px", "pixel", "pixels", "x", "p", "dpi", "ppi", "mm", "cm", "m", "km", "ft", "kb", "mb", "gb", "iso", "kg", "g",
    "euro", "eur", "usd", "photo", "photos", "foto", "fotos", "picture", "pictures", "bild", "bilder", "image",
    "images", "dias", "slides", "uhr", "h", "hz", "w", "ps", "hp", "bc", "bce", "v",
  ]
}
