import MetaTag

extension Reason {
  /// The code with the values: `noZone(2024-05-01T10:00:00)`.
  var values: String {
    let values = flattened(Mirror(reflecting: self).children.first?.value as Any)
    return code.rawValue + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
  }
}

/// Returns the values in the payload of a reason, also of the failure that it contains.
private func flattened(_ value: Any) -> [String] {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional: return mirror.children.first.map { flattened($0.value) } ?? []
  case .tuple: return mirror.children.flatMap { flattened($0.value) }
  case .collection: return ["[\(mirror.children.map { "\($0.value)" }.joined(separator: ", "))]"]
  case .enum where value is any Error: return mirror.children.first.map { flattened($0.value) } ?? []
  default: return ["\(value)"]
  }
}
