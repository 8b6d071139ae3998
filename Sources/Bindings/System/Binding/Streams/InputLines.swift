internal import CLockstepSystem
internal import Synchronization

/// The lines of the standard input of this process, which come from a person, a file or a pipe.
///
/// Only one reader may exist.
public final class InputLines: Sendable {
    /// The maximum length of a line in bytes.
    ///
    /// A terminal allows 4,095 bytes.
    public static let limit = 1 << 16

    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let isHidden = Mutex(false)

    /// Creates a reader, which has not read anything yet.
    public init() {}

    /// Waits for the next line, and returns it without its line break.
    ///
    /// It blocks its thread. Text after the last line break is also a line.
    ///
    /// - Returns: The line; `nil` at the end of the input.
    /// - Throws: `E2BIG` if the line is longer than ``limit``; another error if the input cannot be read.
    public func next() throws(SystemError) -> [UInt8]? {
        try state.withLock { state throws(SystemError) in
            while true {
                if let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(state.bytes[..<end])
                    state.bytes.removeSubrange(...end)
                    return line
                }
                guard !state.hasEnded else {
                    defer { state.bytes = [] }
                    return state.bytes.isEmpty ? nil : state.bytes
                }
                guard state.bytes.count <= Self.limit else { throw SystemError(E2BIG, "read a line") }
                let more = try Self.read()
                state.hasEnded = more.isEmpty
                state.bytes += more
            }
        }
    }

    /// Reads bytes.
    ///
    /// If the terminal is gone, the input has ended.
    private static func read() throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try StandardStream.input.read(upTo: 4096)
        } catch {
            if error.code == EIO { return [] }
            throw error
        }
    }

    /// Hides typed text until ``show()`` is called.
    ///
    /// The call does nothing if the input is not a terminal, or if the terminal already hides typed text.
    public func hide() {
        isHidden.withLock { isHidden in
            guard !isHidden, lockstep_shows_echo(STDIN_FILENO) != 0 else { return }
            isHidden = lockstep_set_echo(STDIN_FILENO, 0) == 0
        }
    }

    /// Shows typed text again, after ``hide()``.
    ///
    /// Call this method before the process ends. Otherwise the terminal still hides typed text afterwards.
    public func show() {
        isHidden.withLock { isHidden in
            guard isHidden else { return }
            isHidden = lockstep_set_echo(STDIN_FILENO, 1) != 0
        }
    }
}
