/// Leaves the metadata of photos unchanged: for runs that only rename files, and for photos that a plan doesn't list.
package struct NoChange: Planner {
  /// Creates the planner.
  package init() {}

  /// Proposes no change.
  package func propose(for metadata: Metadata) -> Proposal { .unchanged(.asWanted) }
}
