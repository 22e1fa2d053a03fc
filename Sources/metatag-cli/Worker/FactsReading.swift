import MetaTag
import SystemPackage

/// Reads the facts of files, portion by portion.
struct FactsReading {
  let jobs: Int

  func answer(_ lines: [WorkerLines.Line]) async -> [WorkerAnswer] {
    await PhotoLine.answer(lines) { files in
      let results = await FileFacts.read(files.map { $0.paths[0] }, jobs: jobs)
      return zip(files, results).map { file, result in
        switch result {
        case .success(let facts): WorkerAnswer(facts.lineValue(id: file.id, version: Console.version), nil)
        case .failure(let error):
          WorkerAnswer(ReportRow(file.paths[0], error), id: file.id, canRetry: error.code.isTransient)
        }
      }
    }
  }
}
