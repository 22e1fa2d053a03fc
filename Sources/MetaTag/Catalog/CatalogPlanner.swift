/// A planner that decides by what a ``PhotoCatalog`` keeps of a photo, so that its proposal can be forecast without
/// opening the photo again.
package protocol CatalogPlanner: Planner {
  /// Whether it decides so with its present settings.
  var decidesByCatalog: Bool { get }
}

extension CatalogPlanner {
  /// True by default.
  package var decidesByCatalog: Bool { true }
}

extension Planner {
  /// Whether what a catalog keeps of a photo is enough for the proposal.
  var canForecast: Bool { (self as? any CatalogPlanner)?.decidesByCatalog ?? false }
}

extension GeotagPlanner: CatalogPlanner {}
extension PerCameraPlanner: CatalogPlanner {}
extension PlacePlanner: CatalogPlanner {}
extension NamePlanner: CatalogPlanner {}
extension GivenNamesPlanner: CatalogPlanner {}
extension TrackTimePlanner: CatalogPlanner {}

extension PlaceAndNamePlanner: CatalogPlanner {
  /// Whether the planner of positions does.
  package var decidesByCatalog: Bool { place.canForecast }
}

extension NamesFollowing: CatalogPlanner {
  /// Whether the planner of positions does.
  package var decidesByCatalog: Bool { place.canForecast }
}
