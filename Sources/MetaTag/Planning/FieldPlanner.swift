/// Gives every photo the same values of fields and tags. Which of them a photo has already, the writer sees.
public struct FieldPlanner: Planner {
  /// What becomes of fields.
  public var fields: [PhotoField: Change<TagValue>] = [:]
  /// Keywords that are added to those that a photo has.
  public var addedKeywords: [String] = []
  /// What becomes of EXIF tags that are no field.
  public var tags: [EXIFTag: Change<TagValue>] = [:]

  /// Nothing yet.
  public init() {}

  /// The same change for all.
  public func propose(for metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    edit.fields = fields
    edit.addedKeywords = addedKeywords
    edit.tags = tags
    return .change(edit, because: .described)
  }
}
