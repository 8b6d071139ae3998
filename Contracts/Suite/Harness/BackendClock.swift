/// A backend clock that a check can move.
public protocol BackendClock: Sendable {
    /// Moves the clock of the backend forward. The `Date` of its responses moves, too.
    ///
    /// - Parameter duration: The time by which to move the clock.
    /// - Throws: An error that ends the check.
    func advance(by duration: Duration) async throws
}
