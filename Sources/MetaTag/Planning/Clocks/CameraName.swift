/// A camera as users name it: its model, its make and model, or its serial number; also a part of these that ends at
/// the end of a word ("EOS R5" doesn't match EOS R50), or any part of the make. Case is ignored.
package struct CameraName: Hashable, Sendable {
  /// The quality of a match between a name and a camera; greater is better.
  package enum Fit: Comparable, Sendable {
    /// The name is a part of the camera's name.
    case part
    /// The name is the camera's whole name.
    case whole
  }

  /// The text that the user typed.
  package let text: String

  /// Creates a name for the cameras whose name is `text` or contains it.
  package init(_ text: String) { self.text = text }

  /// Returns how well the name matches the camera that took `photo`; nil if it doesn't.
  package func fit(_ photo: Metadata) -> Fit? {
    let name = text.lowercased()
    let (make, model, serial) = (photo.make?.lowercased(), photo.model?.lowercased(), photo.serialNumber?.lowercased())
    let both = make.flatMap { make in model.map { "\(make) \($0)" } }
    let calls = [model, serial, both].compactMap(\.self)
    if name == photo.cameraModel?.lowercased() { return .whole }
    // Many makers begin the model with their own name.
    if calls.contains(name) || both == "\(make ?? "") \(make ?? "") \(name)" { return .whole }
    return make?.contains(name) ?? false || calls.contains { $0.hasWords(name) } ? .part : nil
  }
}

/// The cameras that names mean: of those among the photos, the ones that match a name best.
package struct CameraChoice {
  private let names: [CameraName]
  private var best: [CameraName.Fit?]

  /// Creates a choice of cameras by their names; without any, all are meant.
  package init(_ names: [CameraName]) {
    self.names = names
    best = names.map { _ in nil }
  }

  /// Takes the camera of a photo into consideration. All photos come here before the first is chosen.
  package mutating func consider(_ photo: Metadata) {
    for (index, name) in names.enumerated() { best[index] = [best[index], name.fit(photo)].compactMap(\.self).max() }
  }

  /// Whether a photo was taken by one of the cameras.
  package func includes(_ photo: Metadata) -> Bool {
    names.isEmpty || zip(names, best).contains { name, best in best != nil && name.fit(photo) == best }
  }
}

extension String {
  /// Whether the text contains `part` and the match ends at the end of a word.
  fileprivate func hasWords(_ part: String) -> Bool {
    ranges(of: part).contains { range in
      self[range.upperBound...].first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
  }
}

extension Metadata {
  /// The camera's name as people say it: make and model, without the make if the model begins with a word of it (`Canon
  /// EOS 40D`, `NIKON D70`); nil when the photo records neither.
  public var cameraModel: String? {
    guard let make, let model else { return model ?? make }
    let first = model.prefix { $0.isLetter || $0.isNumber }.lowercased()
    let makes = make.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    return makes.contains(first) || model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
  }

  /// A name that identifies one camera among others: make, model and serial number.
  public var cameraName: String {
    let names = [cameraModel, serialNumber].compactMap(\.self)
    return names.isEmpty ? "camera without a name" : names.joined(separator: " ")
  }
}
