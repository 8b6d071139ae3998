internal import Lockstep

/// One promise of the portable API, with the code that checks it.
public struct Contract: Sendable, Identifiable, CustomStringConvertible {
    /// The stable dotted name, which never changes: `sign-in.password.rejects-wrong`.
    public let id: String
    /// The promise, one sentence in the present tense.
    public let promise: String
    /// Which adapters it applies to.
    public let appliesTo: Applicability
    /// In which configurations it applies; `nil` means in all.
    public let condition: Condition?
    /// The controls that the check needs of an environment.
    public let needs: Set<Need>
    /// The promises without which this one cannot be judged: where one of them is broken, this one is not checked.
    public let buildsOn: [String]
    /// The adapter's declaration about it, where providers rightly differ.
    public let declared: Declaration?
    /// What is looked at in every contract and does not hold in this one by intention, each with the reason.
    public let unwatched: [Invariant: String]
    /// Where the promise stands.
    public let site: SourceSite
    let body: @Sendable (World) async throws -> Void

    /// A promise.
    ///
    /// `body` gets clients from the world and states by `expect` what must hold. It throws a ``EnvironmentError`` where the harness
    /// cannot do what is needed; any other error breaks the promise.
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
    /// Module and file.
    public let fileID: String
    /// The file's path at the time of building.
    public let filePath: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// A place.
    public init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
