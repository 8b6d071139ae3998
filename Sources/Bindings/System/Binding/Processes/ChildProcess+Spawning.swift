// On tvOS and watchOS, no app can start another program.
#if !os(tvOS) && !os(watchOS)
internal import CLockstepSystem

extension ChildProcess {
    /// The three standard streams of a new program.
    enum Streams {
        case descriptors([Int32])
        /// The terminal at this path, which also sends the signals of the keyboard.
        case terminal(String)
    }

    /// Starts a program with these standard streams.
    static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String]?, streams: Streams
    ) throws(SystemError) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        // Both are initialized here and destroyed at the end. Every call uses the reference only during the call.
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        switch streams {
        case .descriptors(let numbers):
            for (target, source) in numbers.enumerated() {
                unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
            }
        case .terminal(let path):
            flags |= lockstep_spawn_session_flag()
            unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The child must not inherit blocked signals.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // The child must not inherit ignored signals either. A shell's background job ignores SIGINT, and the child would not
        // receive it.
        var ends = sigset_t()
        unsafe sigemptyset(&ends)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { unsafe sigaddset(&ends, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &ends)
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var id: pid_t = 0
        let variables = environment.map { $0.map { "\($0.key)=\($0.value)" } }
        let code = unsafe withArguments([program] + arguments) { arguments in
            guard let variables else {
                return unsafe posix_spawnp(&id, program, &actions, &attributes, arguments, lockstep_environment())
            }
            return unsafe withArguments(variables) { variables in
                unsafe posix_spawnp(&id, program, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw SystemError(code, "start \(program)") }
        return id
    }

    /// Converts texts to a C list of C strings, which is valid during the closure.
    private static func withArguments(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        // Each copy is freed after `body`, which is its last user. The list ends with nil, as C requires.
        var list = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe list.forEach { unsafe free($0) } }
        return unsafe list.withUnsafeMutableBufferPointer { list in
            guard let start = list.baseAddress else { return EINVAL }
            return unsafe body(start)
        }
    }
}
#endif
