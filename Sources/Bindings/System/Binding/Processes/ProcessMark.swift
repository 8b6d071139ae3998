internal import CLockstepSystem

/// The identity of a process on this machine.
///
/// A later process can have the same process id, but not the same identity.
public struct ProcessMark: Sendable, Hashable {
    /// The process id.
    public let id: Int32
    /// The start time of the process in units of the system, together with the id of the machine's boot.
    ///
    /// The value consists of letters, digits and hyphens.
    public let start: String

    /// Creates an identity from stored values.
    ///
    /// - Parameters:
    ///   - id: The process id.
    public init(id: Int32, start: String) {
        self.id = id
        self.start = start
    }

    /// Reads the identity of a running process; `nil` if no process with this id is running.
    ///
    /// A process that has ended is not running, even if its parent has not waited for it yet.
    public init?(of id: Int32) {
        guard let start = Self.start(of: id) else { return nil }
        self.init(id: id, start: start)
    }

    /// Whether the process is still running.
    public var isRunning: Bool { Self.start(of: id) == start }

    private static func start(of id: Int32) -> String? {
        #if canImport(Darwin)
        let microseconds = lockstep_process_start(id)
        return microseconds > 0 ? String(microseconds) : nil
        #else
        guard let bytes = try? AtomicFile.read("/proc/\(id)/stat", limit: 4096) else { return nil }
        // The second field is the program's name in brackets, which may contain anything (proc(5)).
        guard let bracket = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(bracket + 1)...].split(separator: UInt8(ascii: " "))
        // The third field is the state. The 22nd field is the start, in clock ticks since the start of the machine.
        guard fields.count > 19, fields[0].first != UInt8(ascii: "Z"), fields[0].first != UInt8(ascii: "X") else { return nil }
        let machine = Machine.bootSession.map { String($0.prefix(8)) + "-" } ?? ""
        return machine + String(decoding: fields[19], as: UTF8.self)
        #endif
    }
}
