internal import CLockstepSystem

extension Descriptor {
    /// A pipe whose ends are not inherited by child processes.
    static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        // The call writes two numbers into a tuple of two, and keeps no pointer.
        let result = unsafe withUnsafeMutableBytes(of: &ends) { unsafe lockstep_pipe($0.bindMemory(to: Int32.self).baseAddress) }
        guard result == 0 else { throw .last("make a pipe") }
        return (Descriptor(ends.0), Descriptor(ends.1))
    }
}
