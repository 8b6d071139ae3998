internal import CLockstepSystem
internal import Synchronization

/// The lines that a person types, or that a file or pipe gives: the standard input of this process, read by one reader.
public final class InputLines: Sendable {
    /// The longest line; a terminal's own limit is 4,095 bytes.
    public static let limit = 1 << 16

    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let isHidden = Mutex(false)

    /// A reader that has read nothing yet.
    public init() {}

    /// The next line, without its end; `nil` at the end of the input.
    ///
    /// It blocks its thread until there is one. What follows the last line break is a line, too, unless it is empty.
    ///
    /// - Throws: `E2BIG` for a line of more than ``limit`` bytes; what reading throws.
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

    /// A terminal that is gone is an input that has ended.
    private static func read() throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try StandardStream.input.read(upTo: 4096)
        } catch {
            if error.code == EIO { return [] }
            throw error
        }
    }

    /// Stops showing what is typed, until ``show()``; does nothing where the input is no terminal, or shows nothing already.
    public func hide() {
        isHidden.withLock { isHidden in
            guard !isHidden, lockstep_shows_echo(STDIN_FILENO) != 0 else { return }
            isHidden = lockstep_set_echo(STDIN_FILENO, 0) == 0
        }
    }

    /// Shows again what is typed, where ``hide()`` has stopped it.
    ///
    /// It must be called before the process ends: the terminal outlives it.
    public func show() {
        isHidden.withLock { isHidden in
            guard isHidden else { return }
            isHidden = lockstep_set_echo(STDIN_FILENO, 1) != 0
        }
    }
}
