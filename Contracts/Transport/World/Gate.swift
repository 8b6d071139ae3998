import LockstepSystem

/// Holds one thread of a server until a task opens it.
struct Gate: Sendable {
    private let listener: SocketListener

    init() throws {
        listener = try SocketListener()
    }

    /// Blocks this thread until the gate is opened, for ten seconds at most.
    func wait() throws {
        _ = try listener.accept()
    }

    /// Lets the thread go on.
    func open() throws {
        _ = try SocketConnection(port: listener.port)
    }
}
