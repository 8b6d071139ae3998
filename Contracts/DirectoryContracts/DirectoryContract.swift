@_exported public import LockstepDirectory

/// A promise that applies to every directory, and the code that checks it.
public struct DirectoryContract: Sendable, Identifiable {
    /// The stable name, dotted.
    public let id: String
    /// The promise, in a sentence.
    public let promise: String
    /// The promises without which this one says nothing, by id.
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

    /// Checks the promise on a fresh project of the harness.
    ///
    /// - Parameter mutant: a fake for the directory, to test that the check notices.
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
    /// Every promise of a directory.
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
    /// The promise holds.
    case kept
    /// It does not, for these reasons; there is at least one.
    case broken([DirectoryFinding])
    /// The run failed before it could tell: the harness or its backend.
    case failed(String)

    /// Whether the promise holds.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the promise does not hold.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}

/// One way in which a promise was broken, and the line that says what was due.
public struct DirectoryFinding: Sendable, CustomStringConvertible {
    /// The expected and the actual result.
    public let message: String
    /// Module and file of the check.
    public let fileID: String
    /// The file on the machine that compiled it.
    public let filePath: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// The message, and where to look.
    public var description: String { "\(message) (\(fileID):\(line))" }
}
