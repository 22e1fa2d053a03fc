// The commands below change a photo whatever other photos are there.

/// Workers can plan it by itself.
extension ClearCommand: PortionPlanning {}
extension DateCopyCommand: PortionPlanning {}
extension DateFromGPSCommand: PortionPlanning {}
extension DateSetCommand: PortionPlanning {}
extension DateShiftCommand: PortionPlanning {}
extension DateZoneCommand: PortionPlanning {}
extension FixExtensionCommand: PortionPlanning {}
extension NameCommand: PortionPlanning {}
extension SetCommand: PortionPlanning {}
