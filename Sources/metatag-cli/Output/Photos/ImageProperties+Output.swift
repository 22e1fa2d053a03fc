import MetaTag

/// The properties of a file as members of a JSON object.
extension ImageProperties {
  /// The duration in seconds, to the millisecond.
  var seconds: Double? { duration.map { (($0 / .seconds(1)) * 1_000).rounded() / 1_000 } }

  /// Writes what is known, apart from the type.
  func write(to writer: inout JSONWriter) {
    writer.member("kind", mediaKind.rawValue)
    writer.member("width", pixelSize?.width)
    writer.member("height", pixelSize?.height)
    writer.member("orientation", orientation)
    writer.member("duration", seconds)
    writer.member("frames", frameCount)
    writer.member("frameRate", frameRate.map { ($0 * 1_000).rounded() / 1_000 })
    if imageCount > 1 { writer.member("images", imageCount) }
    writer.member("codec", codec)
    writer.member("bitDepth", bitDepth)
    writer.member("colorModel", colorModel?.rawValue)
    writer.member("profile", profileName)
    writer.member("alpha", hasAlpha)
    if let density {
      writer.key("density")
      writer.object { writer in
        writer.member("horizontal", rounded(density.horizontal))
        writer.member("vertical", rounded(density.vertical))
      }
    }
    writer.list("auxiliaryImages", auxiliaryImages.map(\.rawValue))
    writer.list("subtypes", subtypes.map(\.rawValue))
    writer.member("burst", burstIdentifier)
    guard !regions.isEmpty else { return }
    writer.key("regions")
    writer.array { writer in
      for region in regions {
        writer.object { writer in
          writer.member("name", region.name)
          writer.member("kind", region.kind?.rawValue)
          for (key, number) in [("x", region.x), ("y", region.y), ("width", region.width), ("height", region.height)] {
            writer.member(JSONKey(key), (number * 10_000).rounded() / 10_000)
          }
        }
      }
    }
  }

  private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}

extension JSONWriter {
  /// Writes a sorted array of words, unless it is empty.
  fileprivate mutating func list(_ name: JSONKey, _ words: [String]) {
    guard !words.isEmpty else { return }
    key(name)
    array { writer in words.sorted().forEach { writer.value($0) } }
  }
}
