internal import CLockstepSystem
internal import Synchronization

/// An open file descriptor.
///
/// It is closed once: by a call, or when the last reference to it is gone.
///
/// While a call is running, the number cannot be given to another file, because closing waits for the call.
final class Descriptor: Sendable {
    fileprivate struct State {
        var number: Int32
        var users = 0
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Becomes the owner of an open descriptor.
    init(_ number: Int32) {
        state = Mutex(State(number: number))
    }

    deinit {
        state.withLock { state in
            if state.number >= 0 { _ = CLockstepSystem.close(state.number) }
        }
    }

    /// Runs a closure with the number, which belongs to this file until the closure returns.
    ///
    /// - Throws: `EBADF` if the descriptor is already closed; the error that `body` throws.
    func use<Value>(_ operation: String, _ body: (Int32) throws(SystemError) -> Value) throws(SystemError) -> Value {
        let number: Int32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.users += 1
            return state.number
        }
        guard let number else { throw SystemError(EBADF, operation) }
        defer { leave() }
        return try body(number)
    }

    /// Closes the descriptor as soon as no call is running.
    ///
    /// `before` runs immediately, to end such calls.
    func close(_ before: (Int32) -> Void = { _ in }) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            before(state.number)
            if state.users == 0 { state.close() }
        }
    }

    private func leave() {
        state.withLock { state in
            state.users -= 1
            if state.isClosed, state.users == 0 { state.close() }
        }
    }
}

extension Descriptor.State {
    fileprivate mutating func close() {
        _ = CLockstepSystem.close(number)
        number = -1
    }
}

extension Descriptor {
    /// Opens a file.
    ///
    /// Child processes do not inherit the descriptor.
    static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
        // A NUL would end the path early, and a different file would be opened.
        // The path is a valid C string during the call, which does not keep a pointer.
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL, "open a path that contains NUL") }
        let number = unsafe path.withCString { unsafe lockstep_open($0, flags | O_CLOEXEC, mode_t(mode)) }
        guard number >= 0 else { throw .last("open \(path)") }
        return Descriptor(number)
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8], _ operation: String) throws(SystemError) {
        try use(operation) { number throws(SystemError) in
            var offset = 0
            while offset < bytes.count {
                // The pointer covers `count - offset` bytes, and is valid during the call.
                let written = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe lockstep_write(number, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                }
                if written < 0 {
                    let error = SystemError.last(operation)
                    if error.code == EINTR { continue }
                    throw error
                }
                offset += written
            }
        }
    }

    /// Reads at most `count` bytes; none at the end of the file.
    ///
    /// It blocks until there are bytes.
    func read(_ count: Int, _ operation: String) throws(SystemError) -> [UInt8] {
        try use(operation) { number throws(SystemError) in
            while true {
                var received = 0
                let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                    // The call writes at most `count` bytes into the buffer of that size, and returns how many it has written.
                    received = unsafe CLockstepSystem.read(number, buffer.baseAddress, count)
                    initialized = max(received, 0)
                }
                if received >= 0 { return bytes }
                let error = SystemError.last(operation)
                if error.code != EINTR { throw error }
            }
        }
    }
}
