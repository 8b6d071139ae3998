internal import CLockstepMicrohttpd

/// A socket to which clients can already connect, before a server handles the connections.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The port on which the socket listens.
    ///
    /// If it was created with port 0, this is the port that the system chose.
    package let port: UInt16

    let descriptor: Int32

    /// Creates a socket and listens.
    ///
    /// - Parameters:
    ///   - host: The IPv4 address. Default: `127.0.0.1`.
    ///   - port: The port; 0 for any free port.
    /// - Throws: ``HTTPDaemonError`` if the address cannot be used.
    package init(host: String = "127.0.0.1", port: UInt16 = 0) throws(HTTPDaemonError) {
        // The address is a copy that ends with NUL and outlives the call.
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
