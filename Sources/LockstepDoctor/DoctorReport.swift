/// The findings about a project.
public struct DoctorReport: Sendable {
    /// The provider's name, such as `gotrue`; `machine` for this machine.
    public let provider: String
    /// The address that was asked.
    public let address: String
    /// The findings, in the order of the rules.
    public let findings: [DoctorFinding]
    /// The requests that were sent: method and address, without query and key.
    public let requests: [String]
    /// The statement of Swift that makes the right adapter; `nil` if there is none.
    public let adapter: String?

    /// The findings by weight: what must be changed comes first.
    public var sorted: [DoctorFinding] {
        DoctorFinding.Level.allCases.flatMap { level in findings.filter { $0.level == level } }
    }

    /// How many findings have a level.
    public func count(_ level: DoctorFinding.Level) -> Int { findings.count { $0.level == level } }
}
