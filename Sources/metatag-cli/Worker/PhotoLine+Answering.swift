import MetaTag

/// Lines about photos, as workers that only read photos get them.
extension PhotoLine {
  /// Reads a line of a worker's input.
  private init(_ line: WorkerLines.Line) throws {
    guard let bytes = line.bytes else {
      throw RequestError(.malformedRequest, "not a photo: the line exceeds 1 MB")
    }
    do { try self.init(bytes) } catch { throw RequestError(.malformedRequest, "not a photo: \(error.words)") }
    if let version { try RequestError.requireVersion(version) }
  }

  /// Answers lines.
  /// - Parameter answer: Returns the answers to those that name photos, in their order. An answer doesn't count if bytes
  ///   of the photo's files were missing.
  static func answer(
    _ lines: [WorkerLines.Line], by answer: ([PhotoLine]) async throws -> [WorkerAnswer]
  ) async rethrows -> [WorkerAnswer] {
    var (refusals, photos): ([WorkerAnswer], [PhotoLine]) = ([], [])
    for line in lines {
      do { photos.append(try PhotoLine(line)) } catch { refusals.append(WorkerAnswer(refusing: line.number, error)) }
    }
    let present = photos.flatMap(\.present)
    guard !present.isEmpty else { return refusals + (try await answer(photos)) }
    let partial = PartialFiles(present)
    let answers = try await PartialFiles.$current.withValue(partial) { try await answer(photos) }
    return refusals
      + zip(photos, answers).map { photo, answer in
        photo.need(of: partial).map { WorkerAnswer(needing: $0, id: photo.id, of: photo.paths[0]) } ?? answer
      }
  }
}
