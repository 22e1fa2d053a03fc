import Foundation
import MetaTag

/// The best answer to each row, and the rows without one.
struct AnswerSum {
  /// An outcome, the best one first.
  private static let order: [RowOutcome] = [
    .changed, .created, .fallbackJPEG, .fallbackSidecar, .unchanged, .skipped, .failed, .notRun,
  ]

  /// The members of an answer that count.
  private struct Answer: Decodable {
    let id: String?
    let outcome: String?
    let code: String?
    let metatagWorker: Int?
    let metatagPlan: Int?
  }

  /// The members of a row that count.
  private struct Row: Decodable {
    let id: String?
    let path: String?
    let pathBytes: String?
    let metatagPlan: Int?
  }

  /// The best outcome and its code of each row. A row takes few bytes, because there may be very many.
  private var best: [UInt128: (rank: UInt8, code: UInt16)] = [:]
  private var codes: [String] = [""]
  private var numbers: [String: UInt16] = ["": 0]
  private var seen = 0
  /// The number of rows with several answers.
  private(set) var repeated = 0
  /// The number of lines that were no rows.
  private(set) var refused = 0
  /// The first rows without an answer; nil if the rows aren't known.
  var missing: [String]?
  private(set) var missingCount = 0

  /// Adds an answer; returns whether the line is one. Other lines are counted.
  mutating func add(_ line: [UInt8]) -> Bool {
    let answer = try? JSONDecoder().decode(Answer.self, from: Data(line))
    if answer?.metatagWorker != nil || answer?.metatagPlan != nil { return true }
    guard let answer, let outcome = answer.outcome.flatMap(RowOutcome.init),
      let rank = Self.order.firstIndex(of: outcome)
    else {
      refused += 1
      return false
    }
    guard let id = answer.id else {
      refused += 1
      return true
    }
    let new = (rank: UInt8(rank), code: number(of: outcome.isDone ? "" : answer.code ?? ""))
    if let old = best.updateValue(new, forKey: Self.key(of: id)) {
      if old.rank < new.rank { best[Self.key(of: id)] = old }
      repeated += 1
    }
    return true
  }

  /// Looks for the answer to a row; returns whether the line is a row, or the first line of a plan.
  mutating func look(for line: [UInt8]) -> Bool {
    guard let row = try? JSONDecoder().decode(Row.self, from: Data(line)) else { return false }
    if row.metatagPlan != nil { return true }
    guard let id = row.id ?? row.pathBytes ?? row.path else { return false }
    if best[Self.key(of: id)] == nil {
      missingCount += 1
      if missingCount <= 10 { missing?.append(row.path ?? id) }
    } else {
      seen += 1
    }
    return true
  }

  private mutating func number(of code: String) -> UInt16 {
    if let number = numbers[code] { return number }
    guard let number = UInt16(exactly: codes.count) else { return 0 }
    codes.append(code)
    numbers[code] = number
    return number
  }

  /// The beginning of the identifier's SHA-256.
  private static func key(of id: String) -> UInt128 {
    let bytes = Bytes(Array(id.utf8))
    return ((try? bytes.digest([0..<bytes.count])) ?? []).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Whether every row was answered and done.
  var isComplete: Bool {
    let left = numbers[ResultCode.conditionNotMet.rawValue]
    return refused == 0 && missingCount == 0
      && best.values.allSatisfy { Self.order[Int($0.rank)].isDone || $0.code == left }
  }

  /// The numbers of rows with each outcome.
  private var counts: [(outcome: RowOutcome, count: Int)] {
    let ranks = best.values.reduce(into: [UInt8: Int]()) { $0[$1.rank, default: 0] += 1 }
    return Self.order.enumerated().compactMap { rank, outcome in ranks[UInt8(rank)].map { (outcome, $0) } }
  }

  /// The numbers of rows that were not done, by outcome and code, the most first.
  private var reasons: [(outcome: RowOutcome, code: String, count: Int)] {
    var counts: [[UInt16]: Int] = [:]
    for (rank, code) in best.values where !Self.order[Int(rank)].isDone {
      counts[[UInt16(rank), code], default: 0] += 1
    }
    return counts.map { (Self.order[Int($0.key[0])], codes[Int($0.key[1])], $0.value) }
      .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// The sum in words.
  var lines: [String] {
    let parts = counts.map { "\($0.count) \($0.outcome.words(isDryRun: false))" }
    var lines = ["\(best.count.pluralized("row")): \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))"]
    lines += reasons.map {
      "  \($0.count) \($0.outcome.words(isDryRun: false)): \($0.code.isEmpty ? "no code" : $0.code)"
    }
    if repeated > 0 { lines.append("\(repeated.pluralized("further answer")) to rows that had one; the best counts") }
    if refused > 0 { lines.append("\(refused.pluralized("line was", "lines were")) not rows") }
    if let missing, missingCount > 0 {
      let more = missingCount > missing.count ? ", …" : ""
      lines.append(
        "\(missingCount.pluralized("row has", "rows have")) no answer: \(missing.map(\.printable).joined(separator: ", "))\(more)"
      )
    }
    if missing != nil, seen < best.count { lines.append("\((best.count - seen).pluralized("answer")) to other rows") }
    return lines
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("rows", best.count)
      writer.key("outcomes")
      writer.object { writer in
        for (outcome, count) in counts { writer.member(JSONKey(outcome.rawValue), count) }
      }
      writer.key("reasons")
      writer.array { writer in
        for reason in reasons {
          writer.object { writer in
            writer.member("outcome", reason.outcome.rawValue)
            writer.member("code", reason.code.isEmpty ? nil : reason.code)
            writer.member("count", reason.count)
          }
        }
      }
      writer.member("repeated", repeated)
      writer.member("refused", refused)
      if missing != nil {
        writer.member("missing", missingCount)
        writer.member("others", best.count - seen)
      }
    }
  }
}

extension RowOutcome {
  /// Whether nothing is left to do.
  fileprivate var isDone: Bool {
    switch self {
    case .changed, .created, .fallbackJPEG, .fallbackSidecar, .unchanged: true
    case .skipped, .failed, .notRun: false
    }
  }
}
