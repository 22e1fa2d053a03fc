/// Leaves what photos record as it is, for runs that are about their names.
public struct NoChange: Planner {
  /// Nothing is wanted.
  public init() {}

  /// None.
  public func propose(for metadata: Metadata) -> Proposal { .unchanged(.asWanted) }
}
