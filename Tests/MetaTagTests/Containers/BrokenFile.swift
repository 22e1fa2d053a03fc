import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// What it costs to read a broken file and to plan `edits` of it. All of it may be refused, with a reason.
func cost(of file: URL, _ edits: [MetadataEdit]) throws -> Duration {
  try processorTime {
    for wanted in edits {
      do {
        let image = try ImageSource(file.filePath)
        _ = image.metadata()
        let new = Bytes(try image.patch(for: wanted).applied(to: FileSource(file.filePath)))
        _ = try ImageSource(new, path: file.filePath).metadata()
      } catch let error as FileError {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
