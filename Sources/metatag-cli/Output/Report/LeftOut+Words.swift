import MetaTag

extension Walk.LeftOut {
  /// `1 special file and 2 photos without an extension were left out. …`; nil where there is nothing.
  var sentence: String? {
    let parts = [
      (symbolicLinks, "symbolic link", "symbolic links"), (specialFiles, "special file", "special files"),
      (photosWithoutExtension, "photo without an extension", "photos without an extension"),
      (sidecarsWithoutPhoto, "sidecar without a photo", "sidecars without a photo"),
    ].filter { $0.0 > 0 }
    guard let last = parts.last else { return nil }
    let words = parts.map { $0.0.pluralized($0.1, $0.2) }
    let list = ([words.dropLast().joined(separator: ", ")].filter { !$0.isEmpty } + [words[words.count - 1]])
      .joined(separator: " and ")
    let isOne = parts.count == 1 && last.0 == 1
    let them = isOne ? "it" : "them"
    var sentence = "\(list) \(isOne ? "was" : "were") left out in folders."
    if symbolicLinks + photosWithoutExtension + sidecarsWithoutPhoto > 0 { sentence += " Name \(them) to use \(them)." }
    if photosWithoutExtension == 1 { sentence += " 'metatag fix-extension' gives the photo its ending." }
    if photosWithoutExtension > 1 { sentence += " 'metatag fix-extension' gives the photos their endings." }
    return sentence
  }

  /// The members of a summary, those that are not 0.
  func write(to writer: inout JSONWriter) {
    for (key, count) in [
      ("symbolicLinks", symbolicLinks), ("specialFiles", specialFiles),
      ("photosWithoutExtension", photosWithoutExtension), ("sidecarsWithoutPhoto", sidecarsWithoutPhoto),
    ] where count > 0 { writer.member(key, count) }
  }
}
