import LockstepComparison
import LockstepSystem

/// The streams of the process: data on stdout, words for a person on stderr.
struct Terminal: Sendable {
    /// How text for a person is marked: not at all when stdout is no terminal, or NO_COLOR is set.
    let paint: Paint
    /// How many characters a line has.
    let width: Int
    /// Whether progress is shown, which is only for somebody who watches.
    private let showsProgress: Bool

    init() {
        let isColoured =
            StandardStream.output.isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
        paint = isColoured ? .terminal : .none
        width = min(StandardStream.output.columns ?? 100, 140)
        showsProgress = StandardStream.error.isTerminal
    }

    /// Writes data.
    ///
    /// - Throws: where nobody reads any more.
    func print(_ text: String) throws {
        try StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Tells a person something; where that cannot be written, nobody misses it.
    func tell(_ text: String) {
        try? StandardStream.error.write(text + "\n")
    }

    /// Shows what is being done, in one line that is written over.
    func progress(_ text: String) {
        guard showsProgress else { return }
        try? StandardStream.error.write("\r\u{1b}[K" + text)
    }

    /// Takes the line of progress away.
    func endProgress() {
        progress("")
    }
}
