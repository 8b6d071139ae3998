/// The backend's own clock, which can be moved.
public protocol BackendClock: Sendable {
    /// Lets time pass at the backend; the `Date` of its responses follows.
    func advance(by duration: Duration) async throws
}
