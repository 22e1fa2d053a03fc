import MetaTag

extension Trip {
  /// Two weeks from Berlin to Los Angeles: five zones, the nights in which the clocks of Berlin and of Los Angeles go
  /// back, an island on the 180th meridian, and a flight over the date line, so that the first of November comes twice.
  package static func roundTheWorld(seed: UInt64, cameras: [TripCamera] = threeCameras) throws -> Trip {
    Trip(
      seed: seed,
      stays: try [
        Stay(52.50, 13.40, "Europe/Berlin", from: "2024-10-25T07:30:00Z", hours: 9),
        Stay(52.50, 13.40, "Europe/Berlin", from: "2024-10-26T08:10:00Z", hours: 7),
        // From 01:30 over the repeated hour to 03:30.
        Stay(52.51, 13.42, "Europe/Berlin", from: "2024-10-26T23:30:00Z", hours: 3),
        Stay(35.70, 139.60, "Asia/Tokyo", from: "2024-10-29T00:10:00Z", hours: 9),
        Stay(35.70, 139.55, "Asia/Tokyo", from: "2024-10-30T00:40:00Z", hours: 8),
        Stay(-16.85, 180, "Pacific/Fiji", from: "2024-10-31T21:00:00Z", hours: 8, radius: 2),
        Stay(21.47, -158.0, "Pacific/Honolulu", from: "2024-11-01T18:30:00Z", hours: 9, radius: 6),
        Stay(34.05, -118.25, "America/Los_Angeles", from: "2024-11-02T16:00:00Z", hours: 8),
        Stay(34.05, -118.25, "America/Los_Angeles", from: "2024-11-03T07:45:00Z", hours: 3),
        Stay(34.06, -118.20, "America/Los_Angeles", from: "2024-11-04T17:00:00Z", hours: 9),
      ],
      cameras: cameras)
  }

  /// One that was set seven hours slow at home and stayed so; one that is 37 seconds fast and gains; and a phone.
  package static var threeCameras: [TripCamera] {
    var (slow, fast, phone) = (TripCamera("SLOW"), TripCamera("FAST"), TripCamera("PHONE"))
    (slow.share, slow.clock) = (1.5, .fixed((2 - 7) * 3_600))
    (fast.error, fast.gain, fast.offsets, fast.digits) = (37, 1.3, 1, 2)
    (phone.offsets, phone.places, phone.digits) = (0.85, 0.7, 3)
    return [slow, fast, phone]
  }
}
