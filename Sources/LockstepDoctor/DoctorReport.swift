/// The findings about a project.
public struct DoctorReport: Sendable {
    /// The provider's name, such as `gotrue`; `machine` for this machine.
    public let provider: String
    /// The address of the project.
    public let address: String
    /// The findings, in the order of the rules.
    public let findings: [DoctorFinding]
    /// The requests that were sent: method and address, without query and key.
    public let requests: [String]
    /// The Swift code that creates the matching adapter; `nil` if there is none.
    public let adapter: String?

    /// The findings by level, most important first.
    public var sorted: [DoctorFinding] {
        DoctorFinding.Level.allCases.flatMap { level in findings.filter { $0.level == level } }
    }

    /// Returns the number of findings with a level.
    public func count(_ level: DoctorFinding.Level) -> Int { findings.count { $0.level == level } }
}
