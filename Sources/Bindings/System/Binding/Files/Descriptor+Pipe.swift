internal import CLockstepSystem

extension Descriptor {
    /// Returns a pipe whose ends child processes do not inherit.
    static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        // The call writes two numbers into a tuple of two, and does not keep a pointer.
        let result = unsafe withUnsafeMutableBytes(of: &ends) { unsafe lockstep_pipe($0.bindMemory(to: Int32.self).baseAddress) }
        guard result == 0 else { throw .last("create a pipe") }
        return (Descriptor(ends.0), Descriptor(ends.1))
    }

    /// Returns a terminal that no program uses yet, and the path of its other end.
    ///
    /// Child processes do not inherit it.
    static func terminal(columns: Int) throws(SystemError) -> (Descriptor, path: String) {
        var path = [CChar](repeating: 0, count: 1024)
        // The call writes at most `count` bytes into the buffer, the last of them 0, and does not keep a pointer.
        let number = unsafe path.withUnsafeMutableBufferPointer { path in
            unsafe lockstep_open_terminal(Int32(clamping: columns), path.baseAddress, path.count)
        }
        guard number >= 0 else { throw .last("create a terminal") }
        return (Descriptor(number), String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
