import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepSystem

/// A file of users that `--import` or `--export-on-exit` names, in the neutral format or in the one of a provider's own tool.
struct UserFilePlace: Sendable {
    let path: String
    /// The way to read the file.
    private let form: UserFileForm

    /// The ending of a file in the neutral format.
    static let ending = ".jsonl"

    /// The file of an option; `nil` without the option, and for Firebase's own formats that its emulator reads and writes itself.
    ///
    /// - Throws: ``UsageError`` for a file that several emulators would share, or of another provider.
    init?(_ option: String, of names: [String], _ invocation: Invocation) throws(UsageError) {
        guard let path = invocation[option] else { return nil }
        let form = path.hasSuffix(Self.ending) ? UserFileForm(neutral: path) : try Self.export(option, path)
        guard let form else { return nil }
        guard names.count == 1 else {
            throw UsageError(
                "\(invocation.place(option)) with a file NAME\(Self.ending) or an export works with only one provider. Choose one, as in: lockstep serve gotrue"
            )
        }
        if let provider = form.provider, provider != names[0] {
            throw UsageError("\"\(path)\" is \(form.title ?? ""), which only lockstep serve \(provider) imports.")
        }
        (self.path, self.form) = (path, form)
    }

    /// The export of a provider's own tool; `nil` for a file or a folder that Firebase's emulator reads as a whole, with its settings
    /// and tenants, and for a file that does not exist.
    private static func export(_ option: String, _ path: String) throws(UsageError) -> UserFileForm? {
        guard option == "import", !path.hasSuffix(".json"), !InputFile.isPipe(path), (try? Folder.names(path)) == nil,
            (try? Folder.isThere(path)) == true
        else { return nil }
        return try UserFileForm(importing: path)
    }

    /// Loads all users of the file into an emulator; after an error, no user is loaded.
    ///
    /// - Parameter emulator: An emulator without users.
    /// - Returns: A sentence for each kind of values that the form of the file leaves out.
    /// - Throws: ``UsageError`` with the line or the user that cannot be used.
    func load(into emulator: any RunningEmulator) async throws -> [String] {
        do {
            var (reader, header) = try form.open()
            var seed = Seed(organizations: header.organizations)
            var lines = UserLines()
            var counts = [Int](repeating: 0, count: form.gaps.count)
            while let next = try reader.next() {
                var user = next.user
                if let problem = user.id.flatMap({ lines.add($0, at: next.line) }) { throw UsageError(problem) }
                for index in counts.indices where form.gaps[index].concerns(user) { counts[index] += 1 }
                // A server does not know what another one has not exported.
                if form.title != nil { (user.missingHash, user.notShown) = (nil, []) }
                seed.users.append(user)
            }
            try await emulator.panel.seeds?.plant(seed)
            return form.lacks(counts)
        } catch {
            throw form.named(error)
        }
    }

    /// Checks that a file can be written here at the end.
    ///
    /// - Throws: ``UsageError``.
    func check() throws(UsageError) {
        do throws(SystemError) {
            if try Folder.isThere(path), (try? Folder.names(path)) != nil {
                throw SystemError(SystemError.isAFolder, "write \(path)", refusal: .notAFile)
            }
            try FileReplacement(path).discard()
        } catch {
            throw UsageError(
                "cannot write the users to \"\(path)\": \(error.refusal?.rawValue ?? error.reason). Choose a file that this process can write."
            )
        }
    }

    /// Writes the users of an emulator.
    ///
    /// An older file stays if the new file would leave out users of Firebase's tenants.
    ///
    /// - Parameters:
    ///   - tell: Called with what the file leaves out.
    /// - Throws: ``UsageError`` with the path of the users, if they were written elsewhere.
    func save(_ emulator: any RunningEmulator, tell: (String) -> Void) throws {
        let losses = try emulator.panel.seeds?.losses() ?? []
        if !losses.isEmpty {
            tell("\"\(path)\" cannot contain \(losses.joined(separator: ", ")). A folder of --data keeps them.")
        }
        let seed = try emulator.panel.seeds?.current() ?? Seed()
        let users = seed.users
        let firebase = (emulator as? EmulatorServer<FirebaseEmulator>)?.emulator
        var header = UserFile.Header(
            provider: emulator.ready.provider, project: firebase?.settings.project ?? emulator.base, users: users.count)
        header.organizations = seed.organizations
        guard UserFile.line(header).count <= UserFile.lineLimit else {
            throw UsageError("cannot write the organizations to \"\(path)\": they need more than 16 MiB. The file is unchanged.")
        }
        if let firebase, case let left = try Self.usersOfTenants(firebase.admin), left > 0 {
            let beside = path.dropLast(Self.ending.count) + ".new" + Self.ending
            try Self.write(users, header, to: String(beside))
            throw UsageError(
                "\"\(path)\" cannot contain \(left) users of tenants, so it is unchanged. The other users were written to \"\(beside)\". Export to a folder to keep them all."
            )
        }
        do throws(SystemError) {
            try Self.write(users, header, to: path)
        } catch {
            guard let folder = try? Folder.makeTemporary(), (try? Self.write(users, header, to: "\(folder)/users.jsonl")) != nil
            else { throw UsageError("cannot write the users to \"\(path)\": \(error.reason).") }
            throw UsageError(
                "cannot write the users to \"\(path)\": \(error.reason). The users were written to \"\(folder)/users.jsonl\" instead. Move that file."
            )
        }
    }

    /// Returns the number of users whom a file in this format leaves out.
    static func usersOfTenants(_ admin: FirebaseAdministrator) throws -> Int {
        try admin.tenants().reduce(0) { sum, tenant in
            sum + (try admin.exportUsers(tenant: tenant)["users"]?.array?.count ?? 0)
        }
    }

    private static func write(_ users: [SeedUser], _ header: UserFile.Header, to path: String) throws(SystemError) {
        var writer = try UserFileWriter(path, header)
        do throws(SystemError) {
            for user in users { try writer.write(user) }
            try writer.finish()
        } catch {
            writer.discard()
            throw error
        }
    }

    /// Calls a closure with a file, and names the file in its errors.
    ///
    /// - Throws: ``UsageError``, also for a pipe, because a file of users is read more than once.
    static func reading<Value>(_ path: String, _ body: (FileReader) throws -> Value) throws(UsageError) -> Value {
        try naming(path) {
            let file = try FileReader(path)
            guard file.size != nil else {
                throw UsageError("it is a pipe. The users are read more than once. Use a file instead.")
            }
            return try body(file)
        }
    }

    /// Calls a closure, and names the file in its errors.
    static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(UsageError) -> Value {
        do {
            return try body()
        } catch let error as UsageError {
            throw UsageError("\(path): \(error)")
        } catch {
            throw usage(error, path) as? UsageError ?? UsageError("cannot read \"\(path)\": \(error)")
        }
    }

    /// The error of a file that cannot be read, or has the wrong format.
    static func usage(_ error: any Error, _ path: String) -> any Error {
        switch error {
        case let problem as SeedProblem: UsageError("\(path): \(problem)")
        case let error as SystemError where error.refusal != nil:
            UsageError("\"\(path)\" is a folder or a device. Choose a file of users.")
        case let error as SystemError where error.code == SystemError.noSuchFile:
            UsageError("there is no file \"\(path)\".")
        case let error as SystemError: UsageError("cannot read \"\(path)\": \(error.reason).")
        default: error
        }
    }
}

/// The lines of a file of users, by the ids of the users.
struct UserLines: Sendable {
    private var lines: [ExactString: Int] = [:]

    /// Adds a user.
    ///
    /// - Returns: The problem with both lines if an earlier user has the id; otherwise `nil`.
    mutating func add(_ id: String, at line: Int) -> String? {
        lines.updateValue(line, forKey: id.exact).map { first in
            "lines \(first) and \(line): Two users have the id \"\(String(id.visible.prefix(100)))\". Remove one of them, or correct its id."
        }
    }
}
