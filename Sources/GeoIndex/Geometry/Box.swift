import Basics
import Foundation

/// A rectangle in hundred-thousandths of a degree that doesn't cross the 180° meridian.
struct Box: Hashable {
  let south: Int
  let north: Int
  let west: Int
  let east: Int

  /// Returns the band, a quarter of a degree of latitude. The index lists the places of each band by longitude.
  static func band(latitude: Int) -> Int { latitude / 25_000 }

  /// The bands that the box touches.
  var bands: ClosedRange<Int> { Self.band(latitude: south)...Self.band(latitude: north) }

  /// Returns one or two boxes that contain every point within `radius` metres of `point` (longitude -180...180).
  static func around(_ point: Coordinate, radius: Double) -> [Box] {
    // The boxes may be slightly larger than the circle: the distance decides what lies within it.
    let angle = radius / Coordinate.meanRadius + 1e-7
    let height = angle * 180 / .pi
    let (south, north) = (point.latitude - height, point.latitude + height)
    func box(_ west: Double, _ east: Double) -> Box {
      Box(
        south: Int((max(south, -90) * 1e5).rounded(.down)), north: Int((min(north, 90) * 1e5).rounded(.up)),
        west: Int((west * 1e5).rounded(.down)), east: Int((east * 1e5).rounded(.up)))
    }
    // A circle around a pole contains every longitude.
    guard south > -90, north < 90 else { return [box(-180, 180)] }
    // The meridians touch the circle at a point closer to the pole than its center.
    let width = asin(min(1, sin(angle) / cos(point.latitude * .pi / 180))) * 180 / .pi
    let (west, east) = (point.longitude - width, point.longitude + width)
    if west < -180 { return [box(-180, east), box(west + 360, 180)] }
    if east > 180 { return [box(west, 180), box(-180, east - 360)] }
    return [box(west, east)]
  }
}
