// tvOS and watchOS let no app start another program.
#if !os(tvOS) && !os(watchOS)
extension ChildProcess {
    /// How a program ended, and what it wrote.
    public struct Outcome: Sendable {
        /// Its exit status, or 128 and the number of the signal that ended it.
        public let status: Int32
        /// What it wrote to its standard output.
        public let output: [UInt8]
        /// What it wrote to its standard error.
        public let errors: [UInt8]

        /// The standard output as text, white space at the end removed.
        public var text: String {
            var text = String(decoding: output, as: UTF8.self)
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }

    /// Runs a program to its end, on threads of their own.
    ///
    /// - Throws: ``SystemError/timedOut`` when it writes nothing for so long; it is killed then.
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
