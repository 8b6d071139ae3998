internal import CLockstepSystem

/// A standard stream of this process.
public enum StandardStream: Sendable {
    /// The standard output, for the requested data.
    case output
    /// The standard error, for texts to a person: progress, warnings and errors.
    case error
    /// The standard input.
    case input

    private var number: Int32 {
        switch self {
        case .input: STDIN_FILENO
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Whether the stream is a terminal.
    public var isTerminal: Bool { isatty(number) == 1 }

    /// The width of the terminal in characters; `nil` if the stream is not a terminal.
    public var columns: Int? {
        let columns = lockstep_terminal_columns(number)
        return columns > 0 ? Int(columns) : nil
    }

    /// Writes all bytes.
    ///
    /// The call blocks while the reader is slow.
    ///
    /// - Throws: `EPIPE` if the reader has closed the stream.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            // The pointer covers `count - offset` bytes, and is valid during the call.
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe CLockstepSystem.write(number, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if written < 0 {
                let error = SystemError.last("write to a standard stream")
                if error.code == EINTR { continue }
                throw error
            }
            offset += written
        }
    }

    /// Writes a text.
    ///
    /// - Throws: `EPIPE` if the reader has closed the stream.
    public func write(_ text: String) throws(SystemError) {
        try write(Array(text.utf8))
    }

    /// Waits until there are bytes, and reads them.
    ///
    /// It blocks its thread.
    ///
    /// - Parameter count: The maximum number of bytes.
    /// - Returns: The bytes; none at the end of the input.
    /// - Throws: ``SystemError``.
    public func read(upTo count: Int = 1 << 16) throws(SystemError) -> [UInt8] {
        while true {
            var received = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                // The call writes at most `count` bytes into the buffer of that size, and returns how many it has written.
                received = unsafe CLockstepSystem.read(number, buffer.baseAddress, count)
                initialized = max(received, 0)
            }
            if received >= 0 { return bytes }
            let error = SystemError.last("read a standard stream")
            if error.code != EINTR { throw error }
        }
    }
}
