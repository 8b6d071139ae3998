internal import Lockstep

/// A contract of the portable API, with the code that checks it.
///
/// ```swift
/// let outcome = await contract.check(on: harness, variant)
/// print(outcome.verdict.name, outcome.verdict.reason ?? "")
/// ```
public struct Contract: Sendable, Identifiable, CustomStringConvertible {
    /// The id, with dots between its parts: `sign-in.password.rejects-wrong`.
    ///
    /// It never changes.
    public let id: String
    /// One sentence that says what every adapter must do.
    public let promise: String
    /// The adapters that the contract applies to.
    public let appliesTo: Applicability
    /// The condition under which the contract applies; `nil` if it applies to every configuration of the backend.
    public let condition: Condition?
    /// The controls of the environment that the check needs.
    public let needs: Set<Need>
    /// The ids of the contracts that must be kept before this contract can be checked.
    ///
    /// If one of these contracts is broken, this contract is not checked.
    public let buildsOn: [String]
    /// The adapter's statement that the contract checks; `nil` if all providers must behave in the same way.
    public let declared: Declaration?
    /// The invariants that are not checked during this contract, each with the reason.
    public let unwatched: [Invariant: String]
    /// The source location of the contract.
    public let site: SourceSite
    let body: @Sendable (World) async throws -> Void

    /// Creates a contract.
    ///
    /// The closure gets clients from the world, and calls `expect` for each condition. The closure throws an ``EnvironmentError``
    /// if the environment does not support an operation. Any other error breaks the contract.
    ///
    /// - Parameters:
    ///   - id: The id, with dots between its parts.
    ///   - promise: One sentence that says what every adapter must do.
    ///   - appliesTo: The adapters to which the contract applies. Default: every adapter.
    ///   - condition: The condition under which the contract applies. Default: none.
    ///   - needs: The controls of the environment that the check needs. Default: none.
    ///   - buildsOn: The ids of the contracts that must be kept before this contract can be checked.
    ///   - declared: The adapter's statement that the contract checks; `nil` if all providers must behave in the same way.
    ///   - unwatched: The invariants that are not checked during this contract, each with the reason.
    ///   - fileID: The module and the name of the source file.
    ///   - filePath: The path of the source file.
    ///   - line: The line in the source file.
    ///   - column: The column in the line.
    ///   - body: The code that checks the contract.
    public init(
        _ id: String, _ promise: String, appliesTo: Applicability = .every, when condition: Condition? = nil,
        needs: Set<Need> = [],
        buildsOn: [String] = [], declares declared: Declaration? = nil, unwatched: [Invariant: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column, body: @escaping @Sendable (World) async throws -> Void
    ) {
        self.id = id
        self.promise = promise
        self.appliesTo = appliesTo
        self.condition = condition
        self.needs = needs
        self.buildsOn = buildsOn
        self.declared = declared
        self.unwatched = unwatched
        site = SourceSite(fileID: fileID, filePath: filePath, line: line, column: column)
        self.body = body
    }

    /// The id.
    public var description: String { id }
}

/// A location in a source file.
public struct SourceSite: Sendable, Hashable {
    /// The module and the name of the file.
    public let fileID: String
    /// The path of the file on the machine that compiled it.
    public let filePath: String
    /// The line in the file, counted from 1.
    public let line: Int
    /// The column in the line, counted from 1.
    public let column: Int

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - fileID: The module and the name of the file.
    ///   - filePath: The path of the file on the machine that compiled it.
    ///   - line: The line in the file, counted from 1.
    ///   - column: The column in the line, counted from 1.
    public init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
