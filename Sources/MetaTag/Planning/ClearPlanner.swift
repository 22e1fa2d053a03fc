/// Removes locations, and the names of places with them.
public struct ClearPlanner: Planner {
  /// Removes every copy of the location.
  public init() {}

  /// Removal, also where no location could be read: what is there may be broken and still tell. The writer changes
  /// nothing where there is nothing.
  public func propose(for metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    edit.location = .remove
    return .change(edit, because: .cleared)
  }
}
