extension Gazetteer {
  /// The positions that `text` may mean as coordinates, a Plus Code or a link to a map, as `resolve` reads them, to
  /// their last decimal: none, one, or two where a comma or an `O` can be read in two ways. No gazetteer is needed.
  public static func positions(in text: String) -> [(latitude: Double, longitude: Double)] {
    CoordinateText.readings(text).map { ($0.latitude, $0.longitude) }
  }
}
