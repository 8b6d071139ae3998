import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives

/// A format in which a provider's own tools export users.
struct ExportFormat: Sendable {
    /// The syntax of a file.
    enum Syntax: Sendable {
        /// A JSON list of objects.
        case list
        /// JSON objects, each on a line of its own.
        case lines
        /// Comma-separated values; `nil` for columns that the first line names.
        case table(columns: [String]?)
    }

    /// A value that the format leaves out.
    struct Gap: Sendable {
        /// Returns whether the value may be missing from a user.
        let concerns: @Sendable (SeedUser) -> Bool
        /// Returns a sentence for the number of these users; `nil` if it says nothing.
        let sentence: @Sendable (_ users: Int) -> String?
    }

    /// The provider's name in `move.json`.
    let provider: String
    /// The name for people, such as `Firebase auth:export (JSON)`.
    let title: String
    let syntax: Syntax
    /// The further members of `from` in `move.json` that name the place of a secret.
    var secrets: [String] = []
    /// The further members of `from` in `move.json` with a text.
    var texts: [String] = []
    /// Asks the project for the parameters of its hashes, if further members of `from` name its API.
    var hashing: (@Sendable (MoveProvider.Side) async throws -> FirebaseHashing?)?
    /// The further members of `from` in `move.json` that name a file.
    var files: [String] = []
    /// Whether members of the document beside its users explain the users; they are found by reading the whole document.
    var readsDocument = false
    /// Returns whether a file has the format, by the names of its members, or by the values of its first record.
    let recognizes: @Sendable ([String]) -> Bool
    /// Returns whether a record of a table is a user.
    var includes: @Sendable (JSONObject) -> Bool = { _ in true }
    /// Returns the reader of a record.
    ///
    /// The values of a table are strings, by the names of the columns; empty values are absent.
    let reader: @Sendable (ExportInputs) throws -> @Sendable (JSONObject) throws -> SeedUser
    /// What the format leaves out.
    var gaps: [Gap] = []
    /// A sentence for a file with an invalid record, which says how to export the users better; `nil` for none.
    var remedy: String?

    /// The formats of all providers.
    static let all = MoveProvider.all.flatMap(\.exports)

    /// The members of `from` that name the place of a secret of any format.
    static let allSecrets = all.flatMap(\.secrets).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }

    /// The members of `from` that name a file of any format.
    static let allFiles = all.flatMap(\.files)

    /// The members of `from` with a text of any format.
    static let allTexts = all.flatMap(\.texts).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }

    /// The names of the formats, for a sentence.
    static let titles = all.map(\.title)

    /// Returns the format of a table with these values in its first line, or of a list of objects with these members; `nil` for
    /// any other file.
    static func recognized(_ names: [String], isTable: Bool) -> ExportFormat? {
        all.first { format in
            let isOfSyntax = if case .table = format.syntax { isTable } else { !isTable }
            return isOfSyntax && format.recognizes(names)
        }
    }
}

/// What `move.json` says about a file of users.
struct ExportInputs: Sendable {
    /// The project of the users; `nil` if the file is not for a move.
    var project: String?
    /// The paths of further files, by the members' names.
    var files: [String: String] = [:]
    /// The places of secrets, by the members' names.
    var secrets: [String: MoveFile.SecretSource] = [:]
    /// The parameters of the hashes that the project's API has returned.
    var hashing: FirebaseHashing?
    /// The members of the document beside its users; empty for a table.
    var document: JSONObject = [:]
}
