/// A server that answers, whatever the provider.
public protocol RunningEmulator: AnyObject, Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    var base: String { get }
    /// The hands on it.
    var panel: ControlPanel { get }
    /// What is told to those who start it.
    var ready: ReadyLine { get }
    /// Closes all connections; returns when the server's thread has ended.
    func stop()
}
