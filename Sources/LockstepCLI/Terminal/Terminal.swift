import LockstepComparison
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The streams of the process: data on stdout, words for a person on stderr.
struct Terminal: Sendable {
    /// The highlighting of text for people: none if stdout is not a terminal, or if NO_COLOR is set.
    let paint: Paint
    /// Whether a person reads the data.
    let isTerminal = StandardStream.output.isTerminal
    /// The number of characters per line.
    let width: Int
    /// The number of characters in the progress line; `nil` if stderr is not a terminal and no progress is shown.
    private let progressWidth: Int?
    private let data = Stream()
    private let words = Stream()

    /// Whether anything was written to a stream, and whether anything more may be.
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
    /// - Throws: if the reader has gone.
    func print(_ text: String) throws {
        try data.state.withLock { state in
            guard state != .ended else { return }
            state = .begun
            try StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
        }
    }

    /// Writes a question, whose answer follows it.
    ///
    /// - Throws: if the reader has gone.
    func prompt(_ text: String) throws {
        try data.state.withLock { state in
            guard state != .ended else { return }
            state = .begun
            try StandardStream.output.write(text)
        }
    }

    /// Writes the replacement for missing data, unless there is data.
    ///
    /// - Returns: Whether the output is complete; `false` if data is being written and `waiting` is required.
    func end(with text: String?, waiting: Bool) -> Bool {
        let isWhole: Void? = data.state.withLockIfAvailable { state in
            if state == .empty, let text { try? StandardStream.output.write(text) }
            state = .ended
        }
        return isWhole != nil || !waiting
    }

    /// Writes lines for a person to stderr; a failure to write is ignored.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isLast: Nothing is written after them, whatever other threads still do.
    func tell(_ text: String, isLast: Bool = false) {
        writeToErrors(text.split(separator: "\n").map(\.visible).joined(separator: "\n") + "\n", isLast: isLast)
    }

    /// Writes to stderr as it is; a failure to write is ignored.
    func writeToErrors(_ text: String, isLast: Bool = false) {
        words.state.withLock { state in
            guard state != .ended else { return }
            state = isLast ? .ended : .begun
            try? StandardStream.error.write(text)
        }
    }

    /// Shows the progress, in one line that is overwritten: by spaces, since not every terminal knows escape codes.
    func progress(_ text: String) {
        guard let progressWidth else { return }
        let shown = String(text.visible.prefix(progressWidth))
        writeToErrors("\r" + shown + String(repeating: " ", count: progressWidth - shown.count) + "\r")
    }

    /// Removes the line of progress.
    func endProgress() {
        progress("")
    }
}
