// On tvOS and watchOS, no app can start another program.
#if !os(tvOS) && !os(watchOS)
extension ChildProcess {
    /// The exit status and the output of a program.
    public struct Outcome: Sendable {
        /// The exit status; or 128 plus the number of the signal that ended the program.
        public let status: Int32
        /// The bytes that the program wrote to its standard output.
        public let output: [UInt8]
        /// The bytes that the program wrote to its standard error.
        public let errors: [UInt8]

        /// The standard output as a string, without white space at the end.
        public var text: String {
            var text = String(decoding: output, as: UTF8.self)
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }

    /// Runs a program and waits until it ends, without blocking the thread of the calling task.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or its name.
    ///   - arguments: The arguments. Default: none.
    ///   - environment: The environment variables; `nil` for the variables of this process.
    ///   - input: The bytes for the standard input. Default: none.
    ///   - timeout: The longest time without output. Default: 60 seconds.
    /// - Returns: The exit status and the output.
    /// - Throws: ``SystemError/timedOut`` if the program writes nothing for this time. In that case, the program is killed.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: [UInt8] = [],
        within timeout: Duration = .seconds(60)
    ) async throws -> Outcome {
        let child = try ChildProcess(program, arguments, environment: environment)
        defer { child.kill() }
        async let errors = BlockingThread.run { try child.readAll { try $0.readErrors(within: timeout) } }
        async let output = BlockingThread.run { try child.readAll { try $0.readOutput(within: timeout) } }
        try await BlockingThread.run {
            if !input.isEmpty { try child.write(input) }
            child.finishInput()
        }
        let (written, complaints) = try await (output, errors)
        let status = try await BlockingThread.run { try child.wait() }
        return Outcome(status: status, output: written, errors: complaints)
    }

    private func readAll(_ read: (ChildProcess) throws -> [UInt8]) throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try read(self)
            if part.isEmpty { return all }
            all += part
        }
    }
}
#endif
