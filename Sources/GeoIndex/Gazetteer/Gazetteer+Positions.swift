import Basics

extension Gazetteer {
  /// Returns the positions that `text` may mean as coordinates, a Plus Code or a map link, parsed like in `resolve` and
  /// with all decimals: none, one, or two if a comma or an `O` is ambiguous. Needs no gazetteer.
  public static func positions(in text: String) -> [(latitude: Double, longitude: Double)] {
    CoordinateText.readings(text).map { ($0.latitude, $0.longitude) }
  }
}
