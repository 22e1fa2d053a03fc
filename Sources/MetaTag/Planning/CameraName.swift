/// A camera as people name it: a part of its make, model or serial number, in capitals or not.
public struct CameraName: Hashable, Sendable {
  /// What was typed.
  public let text: String

  /// Names the cameras of which a part is `text`.
  public init(_ text: String) { self.text = text }

  /// Whether `photo` was taken by such a camera.
  public func fits(_ photo: Metadata) -> Bool {
    let part = text.lowercased()
    return [photo.make, photo.model, photo.serialNumber].contains { $0?.lowercased().contains(part) ?? false }
  }
}

extension Metadata {
  /// What people call the camera: make, model and serial number.
  var cameraName: String {
    let names = [make, model, serialNumber].compactMap(\.self)
    return names.isEmpty ? "camera without a name" : names.joined(separator: " ")
  }
}
