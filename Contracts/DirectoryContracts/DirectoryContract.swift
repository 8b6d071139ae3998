@_exported public import LockstepDirectory

/// A contract for directories, with the code that checks it.
///
/// Every directory must keep this contract.
public struct DirectoryContract: Sendable, Identifiable {
    /// The id, with dots between its parts.
    ///
    /// It never changes.
    public let id: String
    /// One sentence that says what every directory must do.
    public let promise: String
    /// The ids of the contracts that must be kept before this contract can be checked.
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

    /// Checks the contract in a new project.
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the project.
    ///   - mutant: A fault that the check should find; `nil` for none.
    /// - Returns: Whether the directory keeps the contract.
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
            return .failed("the project could not be set up or removed: \(error)")
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
    /// The id of the contract.
    public var description: String { id }
}

/// The result of checking a contract on a directory.
public enum DirectoryVerdict: Sendable {
    /// The directory keeps the contract.
    case kept
    /// The directory breaks the contract, with the reasons.
    ///
    /// There is at least one reason.
    case broken([DirectoryFinding])
    /// The check failed without a result because of the harness or its backend.
    ///
    /// The text is the reason.
    case failed(String)

    /// Whether the directory keeps the contract.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the directory breaks the contract.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}

/// A reason why a contract is broken, with the line of the check.
public struct DirectoryFinding: Sendable, CustomStringConvertible {
    /// The expected result and the actual result.
    public let message: String
    /// The module and the name of the file that contains the check.
    public let fileID: String
    /// The path of the file on the machine that compiled it.
    public let filePath: String
    /// The line in the file, counted from 1.
    public let line: Int
    /// The column in the line, counted from 1.
    public let column: Int

    /// The message, and the source location of the check.
    public var description: String { "\(message) (\(fileID):\(line))" }
}
