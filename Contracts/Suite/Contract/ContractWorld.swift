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
    static func open(
        _ setting: Setting, for contract: Contract<Self>, judging judge: @Sendable (Self) async -> Verdict
    ) async throws

    var findings: FindingLog { get }

    /// Why the contract cannot be checked here; `nil` if it can.
    func excuse(from demands: Demands) -> Verdict?

    /// Ends what the check has left open. It may add findings, and returns why the run has failed, or `nil`.
    func close() async -> String?
}

extension ContractWorld {
    public func excuse(from demands: Demands) -> Verdict? { nil }
    public func close() async -> String? { nil }
}

/// The demands of a family whose contracts need nothing special.
public struct NoDemands: Sendable {
    public init() {}
}

/// The findings of one run.
public final class FindingLog: Sendable {
    private let list = Mutex<[Finding]>([])

    public init() {}

    public var all: [Finding] { list.withLock { $0 } }

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
