internal import Synchronization

/// What a check of one family of contracts works with: the subject, and the findings about it.
public protocol ContractWorld: AnyObject, Sendable {
    /// What a contract can need of its subject and of the harness.
    associatedtype Demands: Sendable = NoDemands
    /// The subject of one run, and how it is set up.
    associatedtype Setting: Sendable
    /// A change that makes a subject break a contract.
    associatedtype Mutation: Sendable

    /// The contracts of the family.
    static var contracts: [Contract<Self>] { get }

    /// Sets up one world, and judges the contract in it.
    ///
    /// - Parameters:
    ///   - setting: The subject of the run.
    ///   - judge: Checks the contract in the world.
    /// - Throws: An ``EnvironmentError`` if the contract cannot be checked here; any other error fails the run.
    static func open(
        _ setting: Setting, for contract: Contract<Self>, judging judge: @Sendable (Self) async -> Verdict
    ) async throws

    /// The findings of the run.
    var findings: FindingLog { get }

    /// Returns why the contract cannot be checked here.
    ///
    /// - Parameter demands: What the contract needs.
    /// - Returns: The result of the run; `nil` if the contract can be checked.
    func excuse(from demands: Demands) -> Verdict?

    /// Ends what the check has left open, and may add findings.
    ///
    /// - Returns: The reason why the run has failed, or `nil`.
    func close() async -> String?
}

extension ContractWorld {
    /// Default: the contract can be checked.
    ///
    /// - Parameter demands: What the contract needs.
    /// - Returns: `nil`.
    public func excuse(from demands: Demands) -> Verdict? { nil }
    /// Default: nothing is open.
    ///
    /// - Returns: `nil`.
    public func close() async -> String? { nil }
}

/// The demands of a family whose contracts need nothing special.
public struct NoDemands: Sendable {
    /// Creates the value.
    public init() {}
}

/// The findings of one run.
public final class FindingLog: Sendable {
    private let list = Mutex<[Finding]>([])

    /// Creates an empty log.
    public init() {}

    /// The findings so far.
    public var all: [Finding] { list.withLock { $0 } }

    /// Adds a finding.
    public func add(_ finding: Finding) { list.withLock { $0.append(finding) } }
}

extension ContractWorld {
    /// Adds a finding at the caller's line.
    package func report(
        _ sentence: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        let site = SourceSite(fileID: fileID, filePath: filePath, line: line, column: column)
        findings.add(Finding(sentence: sentence, site: site))
    }
}
