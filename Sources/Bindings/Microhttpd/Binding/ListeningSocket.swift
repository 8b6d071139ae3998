internal import CLockstepMicrohttpd

/// A socket that clients can connect to already; a daemon then answers them.
public struct ListeningSocket: ~Copyable, Sendable {
    /// The port; where 0 was asked for, the one the system chose.
    public let port: UInt16

    let descriptor: Int32

    /// Listens.
    ///
    /// - Parameter port: 0 takes a free one.
    public init(host: String = "127.0.0.1", port: UInt16 = 0) throws(HTTPDaemonError) {
        // The address is a NUL-terminated copy that outlives the call.
        let descriptor = unsafe lockstep_socket_listen(host, port, 1024)
        guard descriptor >= 0 else { throw HTTPDaemonError(listeningOn: host, port: port, errno: -descriptor) }
        self.descriptor = descriptor
        self.port = lockstep_socket_port(descriptor)
    }

    deinit { close(descriptor) }

    /// Transfers the descriptor to the caller, which must close it.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}
