internal import CLockstepSystem

/// This process.
public enum CurrentProcess {
    /// The system's number of it.
    public static var id: Int32 { getpid() }

    /// The system's number of its user.
    public static var user: UInt32 { geteuid() }

    /// Whether it may do everything (its user is root).
    public static var isSuperuser: Bool { geteuid() == 0 }

    /// The absolute path of the folder in which it works; `nil` if that was removed.
    public static var folder: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        // The call writes at most `count` bytes into the buffer, the last of them 0, and keeps no pointer.
        let isKnown = unsafe buffer.withUnsafeMutableBufferPointer { unsafe getcwd($0.baseAddress, $0.count) != nil }
        return isKnown ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// How long processors have worked for it, all threads added up.
    public static var processorTime: Duration { .nanoseconds(lockstep_processor_time()) }

    /// How long processors have worked for the thread that calls: what other threads and programs do does not change it.
    public static var threadProcessorTime: Duration { .nanoseconds(lockstep_thread_processor_time()) }

    /// How many bytes of the machine's memory it has now; `nil` where the system does not say (it does in `/proc/self/status`,
    /// Linux).
    public static var residentMemory: Int? {
        guard let bytes = try? AtomicFile.read("/proc/self/status") else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }

    /// Gives memory that was freed back to the system, where the allocator keeps it (glibc's does).
    public static func returnFreeMemory() {
        lockstep_return_free_memory()
    }

    /// Makes a write to a closed pipe or socket an error (`EPIPE`) instead of the end of the process.
    public static func ignoreBrokenPipes() {
        lockstep_ignore_broken_pipes()
    }

    /// Lets the system write no image of the memory to a file when the process crashes: tokens and keys are in it.
    public static func forbidCoreDumps() {
        StartLimits.keep()
        lockstep_forbid_core_dumps()
    }

    /// Takes the numbers of standard streams that were closed before the start, so that no file or socket gets them.
    ///
    /// Printed text would otherwise end up in the first file that is opened. Writing to such a stream fails, as it should.
    public static func holdStandardStreams() {
        lockstep_hold_standard_streams()
    }

    /// Sends itself a signal, as another process would.
    public static func send(_ signal: Signal) throws(SystemError) {
        guard kill(id, signal.number) == 0 else { throw .last("send signal \(signal.number)") }
    }

    /// Ends the process at once with that status; nothing is unwound or flushed.
    public static func exit(_ status: Int32) -> Never {
        _exit(status)
    }
}
