internal import CLockstepMicrohttpd

/// The reason why a server could not be started.
package struct HTTPDaemonError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// Another program already listens on this address.
        case addressInUse
        /// The user has no permission for this port.
        ///
        /// Only an administrator can use ports below 1024.
        case notPermitted
        /// The address is not an IPv4 address of this machine.
        case addressNotAvailable
        /// Any other failure.
        case system
    }

    /// The kind of failure.
    package var code: Code

    /// One sentence that describes the failure and says what to do.
    package var description: String

    /// Creates an error from the `errno` for an address.
    init(listeningOn host: String, port: UInt16, errno reason: Int32) {
        switch reason {
        case EADDRINUSE:
            code = .addressInUse
            description = "Port \(port) is in use: stop the program that uses it, or choose another port (0 uses a free one)."
        case EACCES, EPERM:
            code = .notPermitted
            description = "Port \(port) needs the administrator's rights: choose a port above 1023."
        case EADDRNOTAVAIL, EINVAL:
            code = .addressNotAvailable
            description = "\(host) is not an IPv4 address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses."
        default:
            code = .system
            description = "Cannot listen on \(host):\(port) (errno \(reason))."
        }
    }

    init(system description: String) {
        code = .system
        self.description = description
    }
}
