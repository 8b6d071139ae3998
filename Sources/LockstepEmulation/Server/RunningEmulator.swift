/// A running server of any provider.
public protocol RunningEmulator: AnyObject, Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    var base: String { get }
    /// Its controls.
    var panel: ControlPanel { get }
    /// The line for the process that started it.
    var ready: ReadyLine { get }
    /// Closes all connections; returns when the server's thread has ended.
    func stop()
}
