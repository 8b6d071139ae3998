internal import Lockstep

/// A contract of the portable API, with the code that checks it.
public struct Contract: Sendable, Identifiable, CustomStringConvertible {
    /// The stable dotted name, which never changes: `sign-in.password.rejects-wrong`.
    public let id: String
    /// The contract's sentence, in the present tense.
    public let promise: String
    /// The adapters to which it applies.
    public let appliesTo: Applicability
    /// The condition on the configuration; `nil` for all configurations.
    public let condition: Condition?
    /// The controls that the check needs from its environment.
    public let needs: Set<Need>
    /// The contracts on which this one builds.
    ///
    /// If one of them is broken, this one is not checked.
    public let buildsOn: [String]
    /// The related declaration of the adapter, if providers may differ.
    public let declared: Declaration?
    /// The invariants that do not apply to this contract, each with the reason.
    public let unwatched: [Invariant: String]
    /// The place of the contract in the source.
    public let site: SourceSite
    let body: @Sendable (World) async throws -> Void

    /// Creates a contract.
    ///
    /// `body` gets clients from the world, and calls `expect` for each condition. It throws an ``EnvironmentError`` if the
    /// harness lacks an operation. Any other error breaks the contract.
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

/// A place in a source file.
public struct SourceSite: Sendable, Hashable {
    /// The module and the file.
    public let fileID: String
    /// The file's path at the time of building.
    public let filePath: String
    /// The line, starting at 1.
    public let line: Int
    /// The column, starting at 1.
    public let column: Int

    /// Creates a place.
    public init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
