import Foundation

/// The part of JSON Schema 2020-12 that the documents use. Unknown keywords are an error, not ignored.
struct JSONSchema {
  private let root: [String: Any]

  struct Unknown: Error {
    let word: String
  }

  init(_ file: URL) throws {
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
  }

  /// Returns the faults of `value`, each with its path.
  func errors(in value: Any) throws -> [String] { try errors(in: value, by: root, at: "$") }

  private func errors(in value: Any, by schema: [String: Any], at place: String) throws -> [String] {
    var errors: [String] = []
    for (word, rule) in schema {
      switch (word, rule) {
      case ("$schema", _), ("title", _), ("description", _), ("$defs", _), ("properties", _): break
      case ("$ref", let name as String):
        let definitions = root["$defs"] as? [String: Any] ?? [:]
        guard let target = definitions[name.replacing("#/$defs/", with: "")] as? [String: Any] else {
          throw Unknown(word: name)
        }
        errors += try self.errors(in: value, by: target, at: place)
      case ("type", let type as String):
        if try !JSONSchema.isOf(type, value) { errors.append("\(place) is no \(type)") }
      case ("enum", let values as [String]):
        if !values.contains(value as? String ?? "") { errors.append("\(place) is \(value)") }
      case ("required", let names as [String]):
        let members = value as? [String: Any] ?? [:]
        errors += names.filter { members[$0] == nil }.map { "\(place) lacks \($0)" }
      case ("additionalProperties", false as Bool):
        let known = schema["properties"] as? [String: Any] ?? [:]
        errors += (value as? [String: Any] ?? [:]).keys.filter { known[$0] == nil }.map { "\(place) has \($0)" }
      case ("additionalProperties", let rule as [String: Any]):
        let known = schema["properties"] as? [String: Any] ?? [:]
        for (name, member) in value as? [String: Any] ?? [:] where known[name] == nil {
          errors += try self.errors(in: member, by: rule, at: "\(place).\(name)")
        }
      case ("items", let schema as [String: Any]):
        for (index, element) in (value as? [Any] ?? []).enumerated() {
          errors += try self.errors(in: element, by: schema, at: "\(place)[\(index)]")
        }
      default: throw Unknown(word: word)
      }
    }
    for (name, rule) in schema["properties"] as? [String: [String: Any]] ?? [:] {
      guard let member = (value as? [String: Any])?[name] else { continue }
      errors += try self.errors(in: member, by: rule, at: "\(place).\(name)")
    }
    return errors
  }

  private static func isOf(_ type: String, _ value: Any) throws -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "number": value is NSNumber && !(value is String)
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "boolean": value is Bool
    default: throw Unknown(word: type)
    }
  }
}
