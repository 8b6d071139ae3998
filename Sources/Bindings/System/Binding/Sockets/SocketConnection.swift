internal import CLockstepSystem

/// One end of a TCP connection on this machine, for tests that must decide over every byte.
///
/// Its calls **block their thread**, within their limits; run them on a ``BlockingThread``. It closes with its last reference.
public final class SocketConnection: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Connects to a port of 127.0.0.1.
    public convenience init(port: Int) throws(SystemError) {
        let number = lockstep_connect_loopback(Int32(port))
        guard number >= 0 else { throw .last("connect to 127.0.0.1:\(port)") }
        self.init(Descriptor(number))
    }

    /// Reads what is there, at most `count` bytes, after waiting for the first; none when the other end has closed.
    ///
    /// - Throws: ``SystemError/timedOut``; `ECONNRESET` when the other end has reset the connection.
    public func read(upTo count: Int = 1 << 16, within timeout: Duration = .seconds(60)) throws(SystemError) -> [UInt8] {
        try descriptor.use("read") { number throws(SystemError) in
            try Descriptor.wait(for: number, POLLIN, within: timeout, "read")
        }
        return try descriptor.read(count, "read")
    }

    /// Writes all of it.
    ///
    /// - Throws: ``SystemError/timedOut`` when the other end takes nothing for so long; `EPIPE` when it has closed.
    public func write(_ bytes: some Collection<UInt8>, within timeout: Duration = .seconds(60)) throws(SystemError) {
        let bytes = Array(bytes)
        try descriptor.use("write") { number throws(SystemError) in
            var offset = 0
            while offset < bytes.count {
                try Descriptor.wait(for: number, POLLOUT, within: timeout, "write")
                // The pointer covers `count - offset` bytes and is valid for the call.
                let written = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe lockstep_send(number, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                }
                if written < 0 {
                    let error = SystemError.last("write")
                    if error.code == EAGAIN || error.code == EINTR { continue }
                    throw error
                }
                offset += written
            }
        }
    }

    /// Writes a text.
    public func write(_ text: String) throws(SystemError) {
        try write(text.utf8)
    }

    /// Says that no more will be written, and can still read.
    public func finishWriting() {
        try? descriptor.use("finish writing") { _ = shutdown($0, Int32(SHUT_WR)) }
    }

    /// Closes in order; what was written still arrives.
    public func close() {
        descriptor.close { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }

    /// Closes at once: the other end finds the connection reset.
    public func reset() {
        descriptor.close { _ = lockstep_reset_on_close($0) }
    }
}
