/// Changes of fields as properties, each with the type of its field: `edit.title = .set("Kyoto")`.
extension MetadataEdit {
  /// The title (`dc:title`, IPTC 2:05).
  public var title: Change<String> {
    get { text(.title) }
    set { setText(.title, newValue) }
  }

  /// The keywords, each once (`dc:subject`, IPTC 2:25). Setting them replaces the existing ones; `addedKeywords` keeps
  /// them.
  public var keywords: Change<[String]> {
    get { change(.keywords) { if case .list(let texts) = $0 { texts } else { nil } } }
    set { set(.keywords, newValue) { .list($0) } }
  }

  /// The description of the content (ImageDescription, `dc:description`, IPTC 2:120).
  public var caption: Change<String> {
    get { text(.description) }
    set { setText(.description, newValue) }
  }

  /// The creators (Artist, `dc:creator`, IPTC 2:80). A name must not contain a semicolon.
  public var creators: Change<[String]> {
    get { change(.artist) { if case .text(let text) = $0 { MetadataEdit.names(in: text) } else { nil } } }
    set { set(.artist, newValue) { .text($0.joined(separator: "; ")) } }
  }

  /// The copyright notice (Copyright, `dc:rights`, IPTC 2:116).
  public var copyright: Change<String> {
    get { text(.copyright) }
    set { setText(.copyright, newValue) }
  }

  /// The rating in stars, 0…5 (`xmp:Rating`, Rating).
  public var rating: Change<Int> {
    get { change(.rating) { if case .whole(let numbers) = $0 { numbers.first } else { nil } } }
    set { set(.rating, newValue) { .whole([$0]) } }
  }

  /// The maker of the camera.
  public var cameraMake: Change<String> {
    get { text(.make) }
    set { setText(.make, newValue) }
  }

  /// The model of the camera.
  public var cameraModel: Change<String> {
    get { text(.model) }
    set { setText(.model, newValue) }
  }

  /// The model of the lens.
  public var lensModel: Change<String> {
    get { text(.lensModel) }
    set { setText(.lensModel, newValue) }
  }

  /// Returns the names of a list separated by semicolons.
  fileprivate static func names(in text: String) -> [String] {
    text.split(separator: ";").map { String($0.trimmingBlanks) }.filter { !$0.isEmpty }
  }

  private func text(_ field: PhotoField) -> Change<String> {
    change(field) { if case .text(let text) = $0 { text } else { nil } }
  }

  private mutating func setText(_ field: PhotoField, _ change: Change<String>) { set(field, change) { .text($0) } }

  private func change<Value>(_ field: PhotoField, _ value: (TagValue) -> Value?) -> Change<Value> {
    switch fields[field] {
    case .set(let set): value(set).map { .set($0) } ?? .keep
    case .remove: .remove
    case .keep, nil: .keep
    }
  }

  private mutating func set<Value>(_ field: PhotoField, _ change: Change<Value>, _ value: (Value) -> TagValue) {
    switch change {
    case .keep: fields[field] = nil
    case .remove: fields[field] = .remove
    case .set(let new): fields[field] = .set(value(new))
    }
  }
}

/// The preferred values of fields as properties, each with the type of its field. Nil, or empty, if none is recorded.
extension Metadata {
  /// The title.
  public var title: String? { text(.title) }

  /// The description of the content.
  public var caption: String? { text(.description) }

  /// The creators.
  public var creators: [String] { text(.artist).map(MetadataEdit.names) ?? [] }

  /// The copyright notice.
  public var copyright: String? { text(.copyright) }

  /// The rating in stars: 0…5, or −1 for a rejected photo.
  public var rating: Int? {
    guard case .whole(let numbers)? = value(of: .rating) else { return nil }
    return numbers.first
  }

  /// The f-number.
  public var aperture: Double? { fraction(.aperture)?.value }

  /// The exposure time in seconds, as recorded: 1/125.
  public var exposureTime: Fraction? { fraction(.shutter) }

  /// The focal length in millimetres.
  public var focalLength: Double? { fraction(.focalLength)?.value }

  private func text(_ field: PhotoField) -> String? {
    guard case .text(let text)? = value(of: field) else { return nil }
    return text
  }

  private func fraction(_ field: PhotoField) -> Fraction? {
    guard case .fractions(let fractions)? = value(of: field) else { return nil }
    return fractions.first
  }
}
