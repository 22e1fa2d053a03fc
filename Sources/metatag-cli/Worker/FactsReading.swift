import MetaTag
import SystemPackage

/// Reads the facts of files, portion by portion.
struct FactsReading {
  let jobs: Int

  func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    var answers: [WorkerAnswer] = []
    var files: [PhotoLine] = []
    for line in lines {
      do { files.append(try PhotoLine(line)) } catch { answers.append(WorkerAnswer(refusing: line.number, error)) }
    }
    for (file, result) in zip(files, await FileFacts.read(files.map { $0.paths[0] }, jobs: jobs)) {
      switch result {
      case .success(let facts):
        answers.append(WorkerAnswer(facts.lineValue(id: file.id, version: Console.version), nil))
      case .failure(let error):
        answers.append(WorkerAnswer(ReportRow(file.paths[0], error), id: file.id, canRetry: error.code.isTransient))
      }
    }
    return answers
  }
}

extension PhotoLine {
  /// Reads a line of a worker's input.
  init(_ line: WorkerLines.Line) throws {
    guard let bytes = line.bytes else {
      throw RequestError(.malformedRequest, "not a photo: the line exceeds 1 MB")
    }
    do { try self.init(bytes) } catch { throw RequestError(.malformedRequest, "not a photo: \(error.words)") }
    if let version { try RequestError.requireVersion(version) }
  }
}
