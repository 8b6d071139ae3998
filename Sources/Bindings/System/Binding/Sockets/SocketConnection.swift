internal import CLockstepSystem

/// One end of a TCP connection on this machine, for tests that control every byte.
///
/// Each call **blocks its thread** until it has finished or its time limit has passed. So make calls on a ``BlockingThread``.
/// The connection is closed when the last reference to this object is released.
public final class SocketConnection: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to wait until this process may open one more file. Default: zero.
    /// - Throws: ``SystemError``, for example ``SystemError/tooManyFiles``.
    public convenience init(port: Int, within timeout: Duration = .zero) throws(SystemError) {
        let pause = Duration.milliseconds(5)
        var rest = timeout
        while true {
            let number = lockstep_connect_loopback(Int32(port))
            if number >= 0 {
                self.init(Descriptor(number))
                return
            }
            let error = SystemError.last("connect to 127.0.0.1:\(port)")
            guard error.code == SystemError.tooManyFiles, rest > .zero else { throw error }
            // Waits for no file at all, only for the time.
            _ = poll(nil, 0, Int32(pause / .milliseconds(1)))
            rest -= pause
        }
    }

    /// Waits for the next bytes, and reads them.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes.
    ///   - timeout: The longest time to wait.
    /// - Returns: The bytes; none if the other end has closed the connection.
    /// - Throws: ``SystemError/timedOut``; `ECONNRESET` if the other end has reset the connection.
    public func read(upTo count: Int = 1 << 16, within timeout: Duration = .seconds(60)) throws(SystemError) -> [UInt8] {
        try descriptor.use("read") { number throws(SystemError) in
            try Descriptor.wait(for: number, POLLIN, within: timeout, "read")
        }
        return try descriptor.read(count, "read")
    }

    /// Writes all bytes.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to wait.
    /// - Throws: ``SystemError/timedOut`` if the other end accepts no byte for this time; `EPIPE` if the other end has closed
    ///   the connection.
    public func write(_ bytes: some Collection<UInt8>, within timeout: Duration = .seconds(60)) throws(SystemError) {
        let bytes = Array(bytes)
        try descriptor.use("write") { number throws(SystemError) in
            var offset = 0
            while offset < bytes.count {
                try Descriptor.wait(for: number, POLLOUT, within: timeout, "write")
                // The pointer covers `count - offset` bytes, and is valid during the call.
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
    ///
    /// - Throws: ``SystemError``.
    public func write(_ text: String) throws(SystemError) {
        try write(text.utf8)
    }

    /// Signals to the other end that no more bytes follow.
    ///
    /// This end of the connection can still read.
    public func finishWriting() {
        try? descriptor.use("finish writing") { _ = shutdown($0, Int32(SHUT_WR)) }
    }

    /// Closes the connection.
    ///
    /// Bytes that were already written still arrive at the other end.
    public func close() {
        descriptor.close { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }

    /// Closes the connection immediately, so that the other end sees a reset.
    public func reset() {
        descriptor.close { _ = lockstep_reset_on_close($0) }
    }
}
