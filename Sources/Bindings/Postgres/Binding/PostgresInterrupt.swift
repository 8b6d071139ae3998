internal import CLockstepPostgres
internal import Synchronization

/// Wakes the thread that waits for a server, with a pipe in addition to the socket of the connection.
///
/// Calls have numbers, so that a late cancellation does not end the next call.
@safe
final class PostgresInterrupt: Sendable {
    private struct State {
        var call = 0
        var isFired = false
    }

    /// The end of the pipe that can be read while the current call must end.
    let reading: Int32
    private let writing: Int32
    private let state = Mutex(State())

    init() throws(PostgresError) {
        var ends: [Int32] = [-1, -1]
        // The call writes two numbers into an array of two, and does not keep a pointer.
        guard unsafe lockstep_pg_pipe(&ends) == 0 else {
            throw PostgresError(.disconnected, "The system could not create a pipe (error \(lockstep_pg_errno())).")
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Begins a call, and discards interrupts of the previous call.
    func begin() -> Int {
        state.withLock { state in
            var byte: UInt8 = 0
            // The one byte is valid during the call. The pipe contains as many bytes as there were interrupts, and never
            // blocks.
            if state.isFired { _ = unsafe read(reading, &byte, 1) }
            state.isFired = false
            state.call += 1
            return state.call
        }
    }

    /// Ends the call, if it is still the current one.
    func fire(_ call: Int) {
        state.withLock { state in
            guard state.call == call, !state.isFired else { return }
            state.isFired = true
            var byte: UInt8 = 1
            // The one byte is valid during the call.
            _ = unsafe write(writing, &byte, 1)
        }
    }
}
