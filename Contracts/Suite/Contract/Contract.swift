/// A behavior that every member of a family owes: one sentence, and the code that checks it.
///
/// A family is a type of world: adapters are checked in a ``World``, stores, transports and directories in a world of their own.
///
/// ```swift
/// let outcome = await contract.check(on: harness, variant)
/// print(outcome.verdict.name, outcome.verdict.reason ?? "")
/// ```
public struct Contract<Place: ContractWorld>: Sendable, Identifiable, CustomStringConvertible {
    /// The id, with dots between its parts: `sign-in.password.rejects-wrong`.
    ///
    /// It never changes.
    public let id: String
    /// One sentence that says what every member of the family must do.
    public let statement: String
    /// What the check needs of the member and of its harness.
    public let demands: Place.Demands
    /// The ids of the contracts that must be kept before this contract can be checked.
    ///
    /// If one of these contracts is broken, this contract is not checked.
    public let buildsOn: [String]
    /// The source location of the contract.
    public let site: SourceSite
    let body: @Sendable (Place) async throws -> Void

    /// Creates a contract.
    ///
    /// The closure calls `expect` of its world for each condition. It throws an ``EnvironmentError`` if the environment does not
    /// support an operation, and a ``HarnessFailure`` if the harness failed. Any other error breaks the contract.
    ///
    /// - Parameters:
    ///   - id: The id, with dots between its parts.
    ///   - statement: One sentence that says what every member of the family must do.
    ///   - demands: What the check needs of the member and of its harness.
    ///   - buildsOn: The ids of the contracts that must be kept before this contract can be checked.
    ///   - fileID: The module and the name of the source file.
    ///   - filePath: The path of the source file.
    ///   - line: The line in the source file.
    ///   - body: The code that checks the contract.
    public init(
        _ id: String, _ statement: String, demands: Place.Demands, buildsOn: [String] = [], fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column,
        body: @escaping @Sendable (Place) async throws -> Void
    ) {
        self.id = id
        self.statement = statement
        self.demands = demands
        self.buildsOn = buildsOn
        site = SourceSite(fileID: fileID, filePath: filePath, line: line, column: column)
        self.body = body
    }

    /// The id.
    public var description: String { id }
}

extension Contract where Place.Demands == NoDemands {
    /// Creates a contract that needs nothing special of its subject.
    ///
    /// - Parameters:
    ///   - id: The id, with dots between its parts.
    ///   - statement: One sentence that says what every member of the family must do.
    ///   - buildsOn: The ids of the contracts that must be kept before this contract can be checked.
    ///   - fileID: The module and the name of the source file.
    ///   - filePath: The path of the source file.
    ///   - line: The line in the source file.
    ///   - body: The code that checks the contract.
    public init(
        _ id: String, _ statement: String, buildsOn: [String] = [], fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column, body: @escaping @Sendable (Place) async throws -> Void
    ) {
        self.init(
            id, statement, demands: NoDemands(), buildsOn: buildsOn, fileID: fileID, filePath: filePath, line: line,
            column: column,
            body: body)
    }
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

    /// Creates a location.
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

    func at(line: Int) -> SourceSite { SourceSite(fileID: fileID, filePath: filePath, line: line, column: 1) }
}
