public import LockstepContracts
public import LockstepEmulation

/// The clock of an emulator.
public struct EmulatorTime: BackendClock {
    private let panel: ControlPanel

    /// Creates the clock of this panel's emulator.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// Moves the emulator's clock forward.
    public func advance(by duration: Duration) async throws { panel.advance(by: duration) }
}
