import LockstepDirectory
import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepSystem

/// A file of users, and the way to read it.
struct UserFileForm: Sendable {
    /// The path of the file; for a folder, the file in it.
    let path: String
    /// The name of the format for people; `nil` for the neutral format.
    let title: String?
    /// The provider of the users; `nil` for the neutral format.
    let provider: String?
    /// What the format leaves out.
    let gaps: [ExportFormat.Gap]
    /// The place of the parameters of the file's hashes; `nil` if none was named.
    let hashes: String?
    /// The other files of the same folder, each with the users of a tenant.
    private let tenants: [(tenant: String, form: UserFileForm)]
    private let start: @Sendable (FileReader) throws -> (reader: UserReader, header: UserFile.Header)

    /// A file in the neutral format.
    ///
    /// - Parameter source: The provider and the project of users in comma-separated values; `nil` for JSON Lines.
    init(neutral path: String, _ source: UserFile.Header? = nil) {
        (self.path, title, provider, gaps, hashes, tenants) = (path, nil, nil, [], nil, [])
        start = { file in
            let reader = try source.map { try UserFileReader(table: file, source: $0) } ?? UserFileReader(file)
            return (UserReader(reader), reader.header)
        }
    }

    private init(
        _ path: String, _ format: ExportFormat, _ inputs: ExportInputs, tenants: [(String, UserFileForm)] = []
    ) throws(UsageError) {
        (self.path, title, provider, gaps, self.tenants) = (path, format.title, format.provider, format.gaps, tenants)
        var inputs = inputs
        if format.readsDocument {
            inputs.document = try UserFilePlace.reading(path) { file in
                var elements = try JSONElements(file)
                while try elements.skip() {}
                return elements.members
            }
        }
        hashes =
            (inputs.secrets["hash"] ?? inputs.secrets["serviceAccount"])?.name
            ?? inputs.document["hashAlgorithm"].map { _ in "in the file" }
        let read: @Sendable (JSONObject) throws -> SeedUser
        do { read = try format.reader(inputs) } catch { throw error as? UsageError ?? UsageError("\(error)") }
        let header = UserFile.Header(provider: format.provider, project: inputs.project ?? "")
        start = { file in (try UserReader(file, format, read), header) }
    }

    /// Recognizes a file of `from` by its content.
    ///
    /// - Throws: ``UsageError`` for a file that cannot be used, or a member that it does not need or lacks.
    init(_ side: MoveProvider.Side) async throws {
        let (end, file) = (side.end, side.file)
        let path = end.texts["file"] ?? ""
        func require(_ member: String, _ reason: String) throws -> String {
            guard let text = end.texts[member] else {
                throw UsageError("\(file.path): \"from.\(member)\" is missing. \(reason)")
            }
            return text
        }
        let extra = ExportFormat.allSecrets + ExportFormat.allFiles + ExportFormat.allTexts
        func refuse(_ members: [String], _ reason: String) throws {
            for member in members where end.texts[member] != nil || end.secrets[member] != nil {
                throw UsageError("\(file.path): \"from.\(member)\" does not fit the file: \(reason) Remove it.")
            }
        }
        let folder = try Self.folder(path)
        try refuse(folder == nil ? ["tenant"] : [], "only a folder of emulators:export has tenants.")
        let name = try folder.map { try Self.file(in: $0, of: end.texts["tenant"]) } ?? path
        let reason = "The file does not name its source."
        if let mapping = end.texts["mapping"] {
            try refuse(extra, "a mapping names all that the file has.")
            let provider = try require("provider", reason)
            let inputs = ExportInputs(project: try require("project", reason))
            let syntax = try UserFilePlace.reading(name) { try UserFileKind.syntax(of: $0, name) }
            try self.init(name, SourceMapping(mapping).format(provider, syntax), inputs)
            return
        }
        switch try UserFileKind(of: name) {
        case .lines:
            try refuse(["provider", "project"] + extra, "it names its source itself.")
            self.init(neutral: name)
        case .table:
            try refuse(extra, "in this format, each user has all values in one line.")
            self.init(
                neutral: name,
                UserFile.Header(provider: try require("provider", reason), project: try require("project", reason)))
        case .export(let format):
            guard end.texts["provider"].map({ $0 == format.provider }) ?? true else {
                throw UsageError(
                    "\(file.path): \"from.provider\" is \"\(end.texts["provider"] ?? "")\", but the file is \(format.title).")
            }
            let own = format.secrets + format.files + format.texts
            try refuse(extra.filter { !own.contains($0) }, "\(format.title) does not use it.")
            let project = try require(
                "project", "\(format.title) does not name its project, from which the ids of the users are computed.")
            let scope = end.texts["tenant"].map { "\(project)/\($0)" } ?? project
            let inputs = ExportInputs(
                project: scope, files: end.texts, secrets: end.secrets, hashing: try await format.hashing?(side))
            let others = end.texts["tenant"] == nil ? folder?.tenants ?? [] : []
            try self.init(
                name, format, inputs,
                tenants: others.map { ($0.tenant, try UserFileForm($0.path, format, inputs)) })
        }
    }

    /// Recognizes a file for an emulator; `nil` for the neutral format.
    init?(importing path: String) throws(UsageError) {
        guard case .export(let format) = try UserFileKind(of: path) else { return nil }
        try self.init(path, format, ExportInputs())
    }

    /// Opens the file.
    ///
    /// - Throws: ``UsageError``, `SeedProblem` or `SystemError`.
    func open() throws -> (reader: UserReader, header: UserFile.Header) { try start(FileReader(path)) }

    /// Returns a user of the file as a source of a move has them.
    ///
    /// - Throws: ``UsageError`` with the line.
    func directoryUser(_ user: SeedUser, _ line: Int) throws(UsageError) -> DirectoryUser {
        var user = user
        // Only Firebase's emulator exports passwords, and a gap of its format counts them.
        if title != nil, user.password != nil { (user.password, user.missingHash) = (nil, MissingHash.unreadable.rawValue) }
        do throws(MoveValueProblem) {
            return try DirectoryUser(user)
        } catch {
            throw UsageError("line \(line): \(error.sentence)")
        }
    }

    /// Returns the sentences about what the format leaves out, for the numbers of users whom each gap concerns.
    func lacks(_ counts: [Int]) -> [String] { zip(gaps, counts).compactMap { $0.sentence($1) } }

    /// Returns an error of the file with its path and its format.
    func named(_ error: any Error) -> UsageError {
        if let error = error as? UsageError { return UsageError(path + (title.map { " (\($0))" } ?? "") + ": \(error)") }
        return UserFilePlace.usage(error, path) as? UsageError ?? UsageError("cannot read \"\(path)\": \(error)")
    }

    /// Returns the tenants of the folder with their numbers of users.
    func countTenants() async throws -> [MoveTenant] {
        try await BlockingThread.run { [tenants] in
            try tenants.map { tenant, form in
                var (reader, count) = (try form.open().reader, 0)
                while try reader.skip() { count += 1 }
                return MoveTenant(name: tenant, users: count)
            }
        }
    }

    private struct Accounts {
        let path: String
        let files: [(name: String, tenant: String?)]

        var tenants: [(tenant: String, path: String)] {
            files.compactMap { name, tenant in tenant.map { ($0, "\(path)/\(name)") } }
        }
    }

    /// The folder of `emulators:export`; `nil` for a file.
    private static func folder(_ path: String) throws -> Accounts? {
        guard (try? Folder.names(path)) != nil else { return nil }
        let export = FirebaseExport(path: path)
        let folder = try export.accountsFolder()
        return Accounts(path: folder, files: try export.accountFiles(in: folder))
    }

    private static func file(in folder: Accounts, of tenant: String?) throws -> String {
        guard let file = folder.files.first(where: { $0.tenant?.exact == tenant?.exact }) else {
            throw UsageError(
                "\"\(folder.path)\" has no users of \(tenant.map { "the tenant \"\($0)\"" } ?? "the project itself").")
        }
        return "\(folder.path)/\(file.name)"
    }
}
