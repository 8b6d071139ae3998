/// The findings about a project.
package struct DoctorReport: Sendable {
    /// The name of the provider, such as `gotrue`; `machine` for this machine.
    package let provider: String
    /// The URL of the project.
    package let address: String
    /// Whether the project is an emulator that this user has started.
    package var isEmulator = false
    /// The findings, in the order of the rules.
    package let findings: [DoctorFinding]
    /// The requests that were sent: the method and the URL of each, without the query and the key.
    package let requests: [String]
    /// The Swift code that creates an adapter for the project; `nil` if the doctor sent no request.
    package let adapter: String?

    /// The findings, most important first.
    package var sorted: [DoctorFinding] {
        DoctorFinding.Level.allCases.flatMap { level in findings.filter { $0.level == level } }
    }

    /// Returns the number of findings with a level.
    package func count(_ level: DoctorFinding.Level) -> Int { findings.count { $0.level == level } }
}
