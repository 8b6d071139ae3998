internal import CLockstepSystem
internal import LockstepPrimitives

extension Descriptor {
    /// Blocks until the descriptor is ready.
    static func wait(for number: Int32, _ events: Int32, within timeout: Duration, _ operation: String) throws(SystemError) {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        while true {
            // One entry, valid for the call.
            let count = unsafe poll(&entry, 1, Int32(clamping: timeout.milliseconds))
            if count > 0 { return }
            if count == 0 { throw SystemError(SystemError.timedOut, operation) }
            let error = SystemError.last(operation)
            if error.code != EINTR { throw error }
        }
    }
}
