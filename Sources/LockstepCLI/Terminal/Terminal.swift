import LockstepComparison
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The streams of the process: data on stdout, text for people on stderr.
struct Terminal: Sendable {
    /// The highlighting of text for people: none if stdout is not a terminal, or if NO_COLOR is set.
    let paint: Paint
    /// Whether people read the data.
    let isTerminal = StandardStream.output.isTerminal
    /// The number of characters per line.
    let width: Int
    /// The number of characters in the progress line; `nil` if stderr is not a terminal and no progress is shown.
    private let progressWidth: Int?
    private let data = Stream()
    private let words = Stream()
    private let pager = Stream()

    /// Whether something was written to a stream, and whether more can be written.
    private final class Stream: Sendable {
        enum State { case empty, begun, ended }
        let state = Mutex(State.empty)
    }

    init() {
        let isDumb = Environment["TERM"] == "dumb"
        let isColoured = StandardStream.output.isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && !isDumb
        paint = isColoured ? .terminal : .none
        width = min(StandardStream.output.columns ?? 100, 140)
        progressWidth = StandardStream.error.isTerminal && !isDumb ? min(StandardStream.error.columns ?? 80, 80) - 1 : nil
    }

    /// Writes data.
    ///
    /// - Throws: If the reader has closed the stream.
    func print(_ text: String) throws {
        try data.state.withLock { state in
            guard state != .ended else { return }
            state = .begun
            try StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
        }
    }

    /// Writes a long text: on a terminal, through the program that `PAGER` names (default: less, if it is installed).
    ///
    /// An empty `PAGER` turns this off.
    ///
    /// - Throws: If the reader has closed the stream.
    func show(_ text: String) async throws {
        let named = Environment["PAGER"]
        // Fewer lines fit every terminal, and a longer text does not fit into the arguments of a program.
        let isPaged =
            isTerminal && named != "" && Environment["TERM"] != "dumb" && text.utf8.count { $0 == UInt8(ascii: "\n") } > 22
            && text.utf8.count < 100_000
        guard isPaged else { return try print(text) }
        // less: keep colours, and end at once if everything fits the screen.
        let options = Environment["LESS"] == nil ? [(name: "LESS", value: "FRX")] : []
        let script = """
            [ -n "$2" ] || { set -- "$1" cat; command -v less >/dev/null 2>&1 && set -- "$1" less; }
            printf '%s' "$1" | eval "$2"
            """
        let program = Program("sh", ["-c", script, "sh", text, named ?? ""], variables: options, removing: "")
        pager.state.withLock { $0 = .begun }
        defer { pager.state.withLock { $0 = .ended } }
        data.state.withLock { $0 = .begun }
        _ = try await BlockingThread.run { try program.run() }
    }

    /// Writes a question, whose answer follows on the same line.
    ///
    /// - Throws: If the reader has closed the stream.
    func prompt(_ text: String) throws {
        try data.state.withLock { state in
            guard state != .ended else { return }
            state = .begun
            try StandardStream.output.write(text)
        }
    }

    /// Asks a person to confirm; without a person at a terminal, nothing is asked.
    ///
    /// - Parameter question: The question, such as "delete 95 users?".
    /// - Returns: Whether the person typed yes.
    func isConfirmed(_ question: String) async throws -> Bool {
        guard StandardStream.input.isTerminal, isTerminal else { return false }
        try prompt("\(question) Type yes to continue: ")
        return try await BlockingThread.run { try InputLines().next() } == Array("yes".utf8)
    }

    /// Writes the replacement for missing data, unless there is data.
    ///
    /// - Returns: Whether the output is complete; `false` if data is being written and `waiting` is required.
    func end(with text: String?, waiting: Bool) -> Bool {
        // Ctrl-C belongs to the pager, which leaves the terminal as it was only if it ends itself.
        guard pager.state.withLock({ $0 }) != .begun else { return false }
        let isWhole: Void? = data.state.withLockIfAvailable { state in
            if state == .empty, let text { try? StandardStream.output.write(text) }
            state = .ended
        }
        return isWhole != nil || !waiting
    }

    /// Writes lines for a person to stderr; a failure to write is ignored.
    ///
    /// - Parameters:
    ///   - isLast: Whether nothing may be written afterwards, even by other threads.
    func tell(_ text: String, isLast: Bool = false) {
        writeToErrors(text.split(separator: "\n").map(\.visible).joined(separator: "\n") + "\n", isLast: isLast)
    }

    /// Writes an unchanged text to stderr; a failure to write is ignored.
    func writeToErrors(_ text: String, isLast: Bool = false) {
        words.state.withLock { state in
            guard state != .ended else { return }
            state = isLast ? .ended : .begun
            try? StandardStream.error.write(text)
        }
    }

    /// Shows the progress in one line, which is overwritten with spaces, because not every terminal knows escape codes.
    func progress(_ text: String) {
        guard let progressWidth else { return }
        let shown = String(text.visible.prefix(progressWidth))
        writeToErrors("\r" + shown + String(repeating: " ", count: progressWidth - shown.count) + "\r")
    }

    /// Removes the progress line.
    func endProgress() {
        progress("")
    }
}
