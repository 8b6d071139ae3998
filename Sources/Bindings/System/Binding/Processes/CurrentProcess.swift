internal import CLockstepSystem

/// Functions and facts about this process.
public enum CurrentProcess {
    /// The process id.
    public static var id: Int32 { getpid() }

    /// The user id.
    public static var user: UInt32 { geteuid() }

    /// Whether the user is root.
    public static var isSuperuser: Bool { geteuid() == 0 }

    /// The absolute path of the working folder; `nil` if the folder was removed.
    public static var folder: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        // The call writes at most `count` bytes into the buffer, the last of them 0, and does not keep a pointer.
        let isKnown = unsafe buffer.withUnsafeMutableBufferPointer { unsafe getcwd($0.baseAddress, $0.count) != nil }
        return isKnown ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The processor time that all threads of this process have used.
    public static var processorTime: Duration { .nanoseconds(lockstep_processor_time()) }

    /// The processor time that the calling thread has used.
    ///
    /// Other threads and programs do not affect this time.
    public static var threadProcessorTime: Duration { .nanoseconds(lockstep_thread_processor_time()) }

    /// The memory of this process in RAM, in bytes.
    ///
    /// The value is `nil` if the system does not report the memory. Linux reports this memory in `/proc/self/status`.
    public static var residentMemory: Int? {
        guard let bytes = try? AtomicFile.read("/proc/self/status") else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }

    /// Gives freed memory back to the system.
    ///
    /// Some allocators (glibc) would keep this memory.
    public static func returnFreeMemory() {
        lockstep_return_free_memory()
    }

    /// Ignores the signal `SIGPIPE`.
    ///
    /// Then a write to a closed pipe or socket fails with `EPIPE`, and does not end the process.
    public static func ignoreBrokenPipes() {
        lockstep_ignore_broken_pipes()
    }

    /// Prevents the system from writing the memory of this process to a file after a crash.
    ///
    /// The memory contains tokens and keys.
    public static func forbidCoreDumps() { CoreDumps.forbid() }

    /// Opens the standard streams that were closed when the process started, so that no file or socket gets their numbers.
    ///
    /// Otherwise, printed text would be written to the first file that the process opens. A write to a stream that this call
    /// has opened fails.
    public static func holdStandardStreams() {
        lockstep_hold_standard_streams()
    }

    /// Sends a signal to this process, as if another process had sent it.
    ///
    /// - Throws: ``SystemError``.
    public static func send(_ signal: Signal) throws(SystemError) {
        guard kill(id, signal.number) == 0 else { throw .last("send signal \(signal.number)") }
    }

    /// Ends the process immediately.
    ///
    /// No `defer` runs, and no buffer is written.
    public static func exit(_ status: Int32) -> Never {
        _exit(status)
    }
}
