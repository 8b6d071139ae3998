internal import CLockstepSystem

/// A process of this machine, told apart from a later one that got the same number.
public struct ProcessMark: Sendable, Hashable {
    /// The system's number of the process.
    public let id: Int32
    /// The time of its start, as the system counts it, and the start of the machine: letters, digits and hyphens.
    public let start: String

    /// A mark that was read.
    public init(id: Int32, start: String) {
        self.id = id
        self.start = start
    }

    /// The process of this number; `nil` if there is none, or if it has ended and waits for its parent.
    public init?(of id: Int32) {
        guard let start = Self.start(of: id) else { return nil }
        self.init(id: id, start: start)
    }

    /// Whether this very process runs.
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
        // The third field is the state, the 22nd the start in clock ticks since the machine's.
        guard fields.count > 19, fields[0].first != UInt8(ascii: "Z"), fields[0].first != UInt8(ascii: "X") else { return nil }
        let machine = Machine.bootSession.map { String($0.prefix(8)) + "-" } ?? ""
        return machine + String(decoding: fields[19], as: UTF8.self)
        #endif
    }
}
