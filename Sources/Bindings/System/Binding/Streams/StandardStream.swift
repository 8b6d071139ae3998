internal import CLockstepSystem

/// The streams that this process was started with.
public enum StandardStream: Sendable {
    /// The data that was asked for.
    case output
    /// Words for a person: progress, warnings, errors.
    case error
    /// What is given to the process.
    case input

    private var number: Int32 {
        switch self {
        case .input: STDIN_FILENO
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Whether a person sits at the other end.
    public var isTerminal: Bool { isatty(number) == 1 }

    /// How many characters a line of the terminal has; `nil` where there is no terminal.
    public var columns: Int? {
        let columns = lockstep_terminal_columns(number)
        return columns > 0 ? Int(columns) : nil
    }

    /// Writes all of it; blocks while the other end is slow.
    ///
    /// - Throws: `EPIPE` when the reader has gone.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            // The pointer covers `count - offset` bytes and is valid for the call.
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
    public func write(_ text: String) throws(SystemError) {
        try write(Array(text.utf8))
    }

    /// Reads at most `count` bytes, none at the end; blocks until there is something.
    public func read(upTo count: Int = 1 << 16) throws(SystemError) -> [UInt8] {
        while true {
            var received = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                // The call writes at most `count` bytes into the buffer of that size, and says how many.
                received = unsafe CLockstepSystem.read(number, buffer.baseAddress, count)
                initialized = max(received, 0)
            }
            if received >= 0 { return bytes }
            let error = SystemError.last("read a standard stream")
            if error.code != EINTR { throw error }
        }
    }
}
