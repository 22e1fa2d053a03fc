/// Gives every photo the same values of fields, of the names of its place, and of tags. The writer skips values that a
/// photo already has.
public struct FieldPlanner: Planner {
  /// One of the names of a place.
  public enum PlaceName: Hashable, Sendable, CaseIterable {
    /// The place within the city (IPTC Sublocation).
    case sublocation
    /// The city.
    case city
    /// The state or province.
    case state
    /// The country's name.
    case country
    /// The country's ISO 3166-1 code of two letters.
    case countryCode

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

  /// The changes of fields.
  public var fields: [PhotoField: Change<TagValue>] = [:]
  /// Keywords to add to those that a photo has.
  public var addedKeywords: [String] = []
  /// The changes of names of the place; all others stay. The country code is removed with the country.
  public var names: [PlaceName: Change<String>] = [:]
  /// The changes of EXIF tags that aren't fields.
  public var tags: [EXIFTag: Change<TagValue>] = [:]

  /// The changes of values in XMP by their paths.
  public var properties: [XMPPath: Change<String>] = [:]

  /// Creates a planner without changes.
  public init() {}

  /// Proposes the same change for all photos.
  public func propose(for metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    edit.fields = fields
    edit.addedKeywords = addedKeywords
    edit.tags = tags
    edit.properties = properties
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
    // Keep the code if the country stays the same.
    if new.country == old.country { new.countryCode = old.countryCode ?? new.countryCode }
    if new == old { return .keep }
    return new.isEmpty ? .remove : .set(new)
  }
}

/// Leaves the metadata of photos unchanged: for runs that only rename files, and for photos that a plan doesn't list.
package struct NoChange: Planner {
  /// Creates the planner.
  package init() {}

  /// Proposes no change.
  package func propose(for metadata: Metadata) -> Proposal { .unchanged(.asWanted) }
}
