/// Gives every photo the same values of fields, of names of its place, and of tags. Which of them a photo has already,
/// the writer sees.
public struct FieldPlanner: Planner {
  /// One of the names of a place.
  public enum PlaceName: Hashable, Sendable, CaseIterable {
    case sublocation, city, state, country, countryCode

    fileprivate var path: WritableKeyPath<PlaceNames, String?> {
      switch self {
      case .sublocation: \.sublocation
      case .city: \.city
      case .state: \.state
      case .country: \.country
      case .countryCode: \.countryCode
      }
    }
  }

  /// What becomes of fields.
  public var fields: [PhotoField: Change<TagValue>] = [:]
  /// Keywords that are added to those that a photo has.
  public var addedKeywords: [String] = []
  /// What becomes of names of the place; those that aren't named stay. A country's code goes with the country.
  public var names: [PlaceName: Change<String>] = [:]
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
    if !names.isEmpty { edit.names = change(of: metadata.placeNames.first?.value ?? PlaceNames()) }
    guard !edit.isEmpty else { return .unchanged(.asWanted) }
    return .change(edit, because: .described)
  }

  private func change(of old: PlaceNames) -> Change<PlaceNames> {
    var new = old
    for (name, change) in names {
      switch change {
      case .keep: break
      case .set(let text): new[keyPath: name.path] = text
      case .remove: new[keyPath: name.path] = nil
      }
    }
    // Of the same country, what is known of it stays.
    if new.country == old.country { new.countryCode = old.countryCode ?? new.countryCode }
    if new == old { return .keep }
    return new.isEmpty ? .remove : .set(new)
  }
}
