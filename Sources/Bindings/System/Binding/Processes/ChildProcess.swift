// On tvOS and watchOS, no app can start another program.
#if !os(tvOS) && !os(watchOS)
internal import CLockstepSystem
internal import Synchronization

/// A running program that this process has started, with its three standard streams.
///
/// The program is killed when the last reference to this object is released. Calls that wait or read **block their thread**.
public final class ChildProcess: Sendable {
    private enum State {
        case running
        case ended(Int32)
    }

    /// The process id of the program.
    public let id: Int32
    private let input: Descriptor
    private let output: Descriptor
    private let errors: Descriptor
    private let state = Mutex(State.running)

    /// Starts a program.
    ///
    /// The program does not inherit the open files of this process.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or its name. A name without a slash is looked up in `PATH`.
    ///   - arguments: The arguments. Default: none.
    ///   - environment: The environment variables; `nil` for the variables of this process.
    /// - Throws: ``SystemError``, for example ``SystemError/noSuchFile``.
    public init(_ program: String, _ arguments: [String] = [], environment: [String: String]? = nil) throws(SystemError) {
        let (childInput, input) = try Descriptor.pipe()
        let (output, childOutput) = try Descriptor.pipe()
        let (errors, childErrors) = try Descriptor.pipe()
        self.input = input
        self.output = output
        self.errors = errors
        id = try childInput.use("start \(program)") { first throws(SystemError) in
            try childOutput.use("start \(program)") { second throws(SystemError) in
                try childErrors.use("start \(program)") { third throws(SystemError) in
                    try Self.spawn(program, arguments, environment, streams: .descriptors([first, second, third]))
                }
            }
        }
    }

    /// Starts a program in its own terminal, as if a person sat at the keyboard.
    ///
    /// Bytes that you write to its standard input arrive like typed characters. For Ctrl-C, write `"\u{3}"`; to end the input,
    /// write `"\u{4}"`. The standard output contains everything that the terminal shows: both output streams of the program,
    /// and the typed input.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or its name. A name without a slash is looked up in `PATH`.
    ///   - arguments: The arguments. Default: none.
    ///   - environment: The environment variables; `nil` for the variables of this process.
    ///   - terminalColumns: The width of the terminal in characters.
    /// - Throws: ``SystemError``.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, terminalColumns: Int
    ) throws(SystemError) {
        let (terminal, path) = try Descriptor.terminal(columns: terminalColumns)
        input = terminal
        output = terminal
        errors = terminal
        id = try Self.spawn(program, arguments, environment, streams: .terminal(path))
    }

    deinit {
        if isRunning { _ = try? end(with: SIGKILL) }
    }

    /// Sends a signal to the program.
    ///
    /// If the program is known to have ended, the call does nothing.
    public func send(_ signal: Signal) {
        state.withLock { state in
            // The process id belongs to this process's child until its end has been waited for.
            if case .running = state { _ = CLockstepSystem.kill(id, signal.number) }
        }
    }

    /// Kills the program, and waits until it has ended.
    public func kill() {
        _ = try? end(with: SIGKILL)
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: The exit status; or 128 plus the number of the signal that ended the program.
    /// - Throws: ``SystemError``.
    public func wait() throws(SystemError) -> Int32 {
        // This wait leaves the child waitable, so its process id stays reserved while other threads may still signal it.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 {
            let error = SystemError.last("wait for process \(id)")
            if error.code == ECHILD { break }
            if error.code != EINTR { throw error }
        }
        return try reap()
    }

    /// Reads from the standard output of the program.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes.
    ///   - timeout: The longest time to wait.
    /// - Returns: The bytes; none at the end of the output.
    /// - Throws: ``SystemError``.
    public func readOutput(upTo count: Int = 1 << 16, within timeout: Duration = .seconds(120)) throws(SystemError) -> [UInt8] {
        try Self.read(output, count, timeout)
    }

    /// Reads from the standard error of the program.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes.
    ///   - timeout: The longest time to wait.
    /// - Returns: The bytes; none at the end of the output.
    /// - Throws: ``SystemError``.
    public func readErrors(upTo count: Int = 1 << 16, within timeout: Duration = .seconds(120)) throws(SystemError) -> [UInt8] {
        try Self.read(errors, count, timeout)
    }

    /// Writes to the standard input of the program.
    ///
    /// - Throws: ``SystemError``.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        try input.write(bytes, "write to process \(id)")
    }

    /// Closes the standard input of the program.
    public func finishInput() {
        input.close()
    }
}

extension ChildProcess {
    private var isRunning: Bool {
        state.withLock { state in
            if case .running = state { true } else { false }
        }
    }

    private func end(with signal: Int32) throws(SystemError) -> Int32 {
        state.withLock { state in
            if case .running = state { _ = CLockstepSystem.kill(id, signal) }
        }
        return try wait()
    }

    private func reap() throws(SystemError) -> Int32 {
        try state.withLock { state throws(SystemError) in
            if case .ended(let status) = state { return status }
            var raw: Int32 = 0
            // The pointer is valid during the call. The process has ended, so the call does not wait.
            guard unsafe waitpid(id, &raw, 0) == id else { throw .last("wait for process \(id)") }
            let status = lockstep_exit_status(raw)
            state = .ended(status)
            return status
        }
    }

    private static func read(_ stream: Descriptor, _ count: Int, _ timeout: Duration) throws(SystemError) -> [UInt8] {
        try stream.use("read from a process") { number throws(SystemError) in
            try Descriptor.wait(for: number, POLLIN, within: timeout, "read from a process")
        }
        do throws(SystemError) {
            return try stream.read(count, "read from a process")
        } catch {
            // A terminal reports this error when the last program has left it.
            if error.code == EIO { return [] }
            throw error
        }
    }
}
#endif
