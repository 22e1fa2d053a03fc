import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Returns the time that reading a broken file and planning `edits` of it takes. Any of it may be refused, with a
/// reason.
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
