public import LockstepContracts
public import LockstepEmulation

/// The clock of an emulator.
public struct EmulatorTime: BackendClock {
    private let panel: ControlPanel

    /// The clock of the emulator of this panel.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// Lets time pass there.
    public func advance(by duration: Duration) async throws { panel.advance(by: duration) }
}
