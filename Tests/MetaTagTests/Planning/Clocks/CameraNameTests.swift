import Testing

@testable import MetaTag

@Suite("Camera names")
struct CameraNameTests {
  @Test(
    "A camera's name contains its make once, and the recorded make and model match it too.",
    arguments: [
      ("Canon", "Canon EOS 40D", "Canon EOS 40D"), ("NIKON CORPORATION", "NIKON D70", "NIKON D70"),
      ("Apple", "iPhone 15", "Apple iPhone 15"), ("SONY", "ILCE-7M4", "SONY ILCE-7M4"),
      ("Phase One", "IQ180", "Phase One IQ180"), ("EASTMAN KODAK COMPANY", "KODAK DX4330", "KODAK DX4330"),
      (nil, "D70", "D70"), ("Canon", nil, "Canon"),
    ] as [(String?, String?, String)])
  func names(make: String?, model: String?, expected: String) {
    var metadata = Metadata()
    (metadata.make, metadata.model) = (make, model)
    #expect(metadata.cameraModel == expected)
    if let make, let model {
      #expect(CameraName("\(make) \(model)").fit(metadata) == .whole)
      #expect(CameraName(expected).fit(metadata) == .whole)
    }
  }

  @Test("A photo that records no camera has no camera model.")
  func nameless() {
    #expect(Metadata().cameraModel == nil)
    #expect(Metadata().cameraName == "camera without a name")
  }
}
