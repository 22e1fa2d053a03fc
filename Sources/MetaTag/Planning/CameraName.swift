/// A camera as people name it: its model, its make and model, or its serial number, in capitals or not; or a part of
/// these that ends where a word does ("EOS R5" is no EOS R50), or any of the make.
package struct CameraName: Hashable, Sendable {
  /// How well a name is a camera's; more is better.
  package enum Fit: Comparable, Sendable {
    /// It is a part of what the camera is called.
    case part
    /// The camera is called so.
    case whole
  }

  /// What was typed.
  package let text: String

  /// Names the cameras that are called `text`, or have it as a part of what they are called.
  package init(_ text: String) { self.text = text }

  /// How well the name is that of the camera that took `photo`; nil when it isn't.
  package func fit(_ photo: Metadata) -> Fit? {
    let name = text.lowercased()
    let (make, model, serial) = (photo.make?.lowercased(), photo.model?.lowercased(), photo.serialNumber?.lowercased())
    let both = make.flatMap { make in model.map { "\(make) \($0)" } }
    let calls = [model, serial, both].compactMap(\.self)
    if name == photo.cameraModel?.lowercased() { return .whole }
    // Many makers begin the model with their name.
    if calls.contains(name) || both == "\(make ?? "") \(make ?? "") \(name)" { return .whole }
    return make?.contains(name) ?? false || calls.contains { $0.hasWords(name) } ? .part : nil
  }

  /// Those of `photos` that were taken by the cameras that `names` fit best.
  package static func photos(_ photos: [Metadata], by names: [CameraName]) -> [Metadata] {
    let fits = names.map { name in photos.compactMap { name.fit($0) }.max() }
    return photos.filter { photo in
      zip(names, fits).contains { name, best in best != nil && name.fit(photo) == best }
    }
  }
}

extension String {
  /// Whether `part` stands in it and ends at a word's end.
  fileprivate func hasWords(_ part: String) -> Bool {
    ranges(of: part).contains { range in
      self[range.upperBound...].first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
  }
}

extension Metadata {
  /// The camera's name as people say it: make and model, without the make where the model begins with a word of it
  /// (`Canon EOS 40D`, `NIKON D70`); nil when the photo records neither.
  public var cameraModel: String? {
    guard let make, let model else { return model ?? make }
    let first = model.prefix { $0.isLetter || $0.isNumber }.lowercased()
    let makes = make.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    return makes.contains(first) || model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
  }

  /// What people call one camera among others: its name and its serial number.
  public var cameraName: String {
    let names = [cameraModel, serialNumber].compactMap(\.self)
    return names.isEmpty ? "camera without a name" : names.joined(separator: " ")
  }
}
