import Glibc

/// What `work` costs the thread that does it: unlike the clock on the wall, the same however busy the machine is.
package func processorTime<E: Error>(_ work: () throws(E) -> Void) throws(E) -> Duration {
  let start = spent()
  try work()
  return spent() - start
}

private func spent() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
