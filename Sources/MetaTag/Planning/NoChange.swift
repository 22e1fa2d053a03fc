/// Leaves what photos record as it is, for runs that are about their names.
package struct NoChange: Planner {
  /// Nothing is wanted.
  package init() {}

  /// None.
  package func propose(for metadata: Metadata) -> Proposal { .unchanged(.asWanted) }
}
