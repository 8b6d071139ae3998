import LockstepSystem

/// A gate that blocks one thread of a server until a task opens the gate.
struct Gate: Sendable {
    private let listener: SocketListener

    init() throws {
        listener = try SocketListener()
    }

    /// Blocks this thread until the gate opens or the time limit passes.
    func wait(within limit: Duration = .seconds(60)) throws {
        _ = try listener.accept(within: limit)
    }

    /// Lets the thread continue.
    func open() throws {
        _ = try SocketConnection(port: listener.port)
    }
}
