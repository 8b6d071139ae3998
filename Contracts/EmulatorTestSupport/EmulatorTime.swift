public import LockstepContracts
public import LockstepEmulation

/// The clock of an emulator, for use in contracts.
public struct EmulatorTime: BackendClock {
    private let panel: ControlPanel

    /// Creates the clock of an emulator.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// Moves the clock of the emulator forward.
    ///
    /// - Parameter duration: The time by which to move the clock.
    /// - Throws: Nothing.
    public func advance(by duration: Duration) async throws { panel.advance(by: duration) }
}
