@_exported public import LockstepDirectory

/// A contract that applies to every directory, with the code that checks it.
public struct DirectoryContract: Sendable, Identifiable {
    /// The stable dotted name.
    public let id: String
    /// The contract in one sentence.
    public let promise: String
    /// The ids of the contracts on which this one builds.
    public let buildsOn: [String]
    private let body: @Sendable (DirectoryWorld) async throws -> Void

    init(
        _ id: String, _ promise: String, buildsOn: [String] = [],
        _ body: @escaping @Sendable (DirectoryWorld) async throws -> Void
    ) {
        self.id = id
        self.promise = promise
        self.buildsOn = buildsOn
        self.body = body
    }

    /// Checks the contract on a fresh project of the harness.
    ///
    /// - Parameters:
    ///   - harness: The harness.
    ///   - mutant: A fake directory, to test that the check can fail.
    /// - Returns: The result.
    public func check(on harness: any DirectoryHarness, mutant: DirectoryMutant? = nil) async -> DirectoryVerdict {
        var findings: [DirectoryFinding]?
        do {
            findings = try await harness.withProject { project in
                let world = DirectoryWorld(project, mutant)
                do {
                    try await body(world)
                } catch {
                    world.report("the check ended early: \(error)")
                }
                return world.findings
            }
        } catch {
            return .failed("the project could not be set up, or not be taken down: \(error)")
        }
        guard let findings else { return .failed("the harness did not run the check") }
        return findings.isEmpty ? .kept : .broken(findings)
    }
}

extension DirectoryContract {
    /// All contracts of directories.
    public static let all: [DirectoryContract] = [
        .pagesOnce, .createdSignsIn, .hashSignsIn, .disabled, .deleted, .nothingDropped, .refusalNamesUser, .limitsWaited,
        .batchInterrupted, .ownAnswers, .pagesEnd, .timesKept, .foundTogether,
    ]
}

extension DirectoryContract: CustomStringConvertible {
    /// The name.
    public var description: String { id }
}

/// The result of a check.
public enum DirectoryVerdict: Sendable {
    /// The contract is kept.
    case kept
    /// The contract is broken, for these reasons; there is at least one.
    case broken([DirectoryFinding])
    /// The run failed without a result, because of the harness or its backend.
    case failed(String)

    /// Whether the contract is kept.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the contract is broken.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}

/// A failure of a contract, with the line of the failed expectation.
public struct DirectoryFinding: Sendable, CustomStringConvertible {
    /// The expected and the actual result.
    public let message: String
    /// The module and the file of the check.
    public let fileID: String
    /// The path of the file on the machine that compiled it.
    public let filePath: String
    /// The line, starting at 1.
    public let line: Int
    /// The column, starting at 1.
    public let column: Int

    /// The message and its place.
    public var description: String { "\(message) (\(fileID):\(line))" }
}
