// On tvOS and watchOS, no app can start another program.
#if !os(tvOS) && !os(watchOS)
internal import CLockstepSystem
internal import Synchronization

/// A program that runs in place of this process.
///
/// The program uses the standard streams, the terminal and the process group of this process. The caller decides which open
/// files of this process the program inherits (``OpenFiles/closeInPrograms(except:)``). On Linux, if this process is killed,
/// the program and all its child processes are killed, too.
public final class Program: Sendable {
    private enum State {
        case waiting([Signal])
        case running(Int32)
        case ended
    }

    private let name: String
    private let arguments: [String]
    private let variables: [(name: String, value: String)]
    private let file: String
    private let state = Mutex(State.waiting([]))

    /// Creates a program, which is not started yet.
    ///
    /// - Parameters:
    ///   - name: The path of the program, or its name. A name without a slash is looked up in `PATH`.
    ///   - variables: Environment variables to add to the environment of this process. They replace variables with the same
    ///     names.
    ///   - file: The path of a file that is removed if this process is killed (on Linux).
    public init(_ name: String, _ arguments: [String], variables: [(name: String, value: String)], removing file: String) {
        self.name = name
        self.arguments = arguments
        self.variables = variables
        self.file = file
    }

    /// Starts the program, and waits until it has ended.
    ///
    /// The call **blocks its thread**, so make it on a separate thread (``BlockingThread``).
    ///
    /// - Returns: The exit status; or 128 plus the number of the signal that ended the program.
    /// - Throws: ``SystemError`` if the program cannot be started, for example ``SystemError/noSuchFile``.
    public func run() throws(SystemError) -> Int32 {
        let (child, program) = try startOrSayWhy()
        state.withLock { state in
            if case .waiting(let signals) = state {
                for signal in signals { _ = CLockstepSystem.kill(program, signal.number) }
            }
            state = .running(program)
        }
        defer { state.withLock { $0 = .ended } }
        var raw: Int32 = 0
        // The pointer is valid during the call.
        while unsafe waitpid(child, &raw, 0) != child {
            let error = SystemError.last("wait for process \(child)")
            if error.code != EINTR { throw error }
        }
        return lockstep_exit_status(raw)
    }

    /// Sends a signal to the program.
    ///
    /// If the program is not started yet, it gets the signal when it starts. If the program has ended, nothing happens.
    public func send(_ signal: Signal) {
        state.withLock { state in
            switch state {
            case .waiting(let signals): state = .waiting(signals + [signal])
            case .running(let id): _ = CLockstepSystem.kill(id, signal.number)
            case .ended: break
            }
        }
    }

    /// Starts the program.
    ///
    /// If no folder of `PATH` contains the name, the error says so, even if a folder of `PATH` cannot be read.
    ///
    /// In that case, execvp() says "permission denied". Shells say that there is no such command.
    private func startOrSayWhy() throws(SystemError) -> (child: Int32, program: Int32) {
        do throws(SystemError) {
            return try start()
        } catch {
            guard error.code == EACCES, !name.utf8.contains(UInt8(ascii: "/")), !isInPath else { throw error }
            throw SystemError(ENOENT, "run \(name)")
        }
    }

    private var isInPath: Bool {
        (Environment["PATH"] ?? "").split(separator: ":").contains { folder in
            ((try? FileStatus(of: "\(folder)/\(name)")) ?? nil) != nil
        }
    }

    private func start() throws(SystemError) -> (child: Int32, program: Int32) {
        // Each copy is freed after the call, which is its last user. The lists end with nil, as C requires.
        var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment = unsafe inheritedVariables() + variables.map { unsafe strdup("\($0.name)=\($0.value)") } + [nil]
        defer { unsafe environment.forEach { unsafe free($0) } }
        var child: pid_t = 0
        var program: pid_t = 0
        let code = unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe environment.withUnsafeMutableBufferPointer { environment in
                unsafe lockstep_start_program(
                    &child, &program, words.baseAddress, environment.baseAddress, file, CoreDumps.limitAtStart)
            }
        }
        guard code == 0 else { throw SystemError(code, "run \"\(name)\"") }
        return (child, program)
    }

    /// Copies the environment variables of this process byte by byte, without those that get another value.
    private func inheritedVariables() -> [UnsafeMutablePointer<CChar>?] {
        let replaced = variables.map { Array($0.name.utf8) + [UInt8(ascii: "=")] }
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe []
        guard var entry = unsafe lockstep_environment() else { return unsafe copies }
        // The list ends with nil, and does not change, because this project sets no variables.
        while let text = unsafe entry.pointee {
            let isReplaced = replaced.contains { name in
                name.indices.allSatisfy { unsafe UInt8(bitPattern: text[$0]) == name[$0] }
            }
            if !isReplaced { unsafe copies.append(strdup(text)) }
            unsafe entry += 1
        }
        return unsafe copies
    }
}
#endif
