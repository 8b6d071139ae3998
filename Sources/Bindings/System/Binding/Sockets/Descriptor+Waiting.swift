internal import CLockstepSystem

extension Descriptor {
    /// Blocks until the descriptor is ready.
    static func wait(for number: Int32, _ events: Int32, within timeout: Duration, _ operation: String) throws(SystemError) {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        // poll() accepts at most 2³¹ - 1.
        let milliseconds = Int32(min(max(timeout / .milliseconds(1), 0), Double(Int32.max)))
        while true {
            // The one entry is valid during the call.
            let count = unsafe poll(&entry, 1, milliseconds)
            if count > 0 { return }
            if count == 0 { throw SystemError(SystemError.timedOut, operation) }
            let error = SystemError.last(operation)
            if error.code != EINTR { throw error }
        }
    }
}
