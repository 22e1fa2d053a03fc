import Dispatch
import Synchronization

/// Photos that are prepared before their turn. On a full disk none is, because those would take the room of the photos
/// before them.
final class PreparedPhotos: Sendable {
  /// The index of a photo, and the room it takes in a group.
  struct Place: Sendable {
    let index: Int
    var share = 1
  }

  private let rewriter: Rewriter?
  private let works = Mutex<[Int: Work]>([:])
  private let fullDisk = Signal()
  /// Those that are being prepared.
  private let pending = DispatchGroup()

  init(rewriter: Rewriter?) { self.rewriter = rewriter }

  /// Prepares the photo at an index, if there is room on its disk.
  func prepare(_ index: Int, _ prepare: () -> Work) -> Place {
    pending.enter()
    defer { pending.leave() }
    guard !fullDisk.isRaised else { return Place(index: index) }
    let work = prepare()
    guard !work.lacksRoom || rewriter == nil else {
      fullDisk.raise()
      return Place(index: index)
    }
    works.withLock { $0[index] = work }
    return Place(index: index, share: work.share)
  }

  /// Returns the photo at an index, once; nil if it isn't prepared.
  func take(_ index: Int) -> Work? { works.withLock { $0.removeValue(forKey: index) } }

  /// Makes room: waits for what is being prepared, and discards all.
  func discard() {
    fullDisk.raise()
    pending.wait()
    let discarded = works.withLock { works in
      defer { works = [:] }
      return works.values
    }
    for work in discarded { work.withdraw(rewriter) }
  }
}
