public import LockstepPasswords
public import LockstepPrimitives
internal import LockstepSQLite

/// An administrator that replaces and reads the whole state of a backend.
public protocol SeedAdministrator: Sendable {
    /// The hasher of new passwords, at the cost of the settings.
    var passwordHasher: PasswordHasher { get }

    /// Makes the id of a user without one.
    func makeUserID() -> String

    /// Replaces all rows but the server's keys, and the changed settings, in one transaction.
    ///
    /// - Parameter seed: The seed; each user has an id, and no password as text.
    /// - Throws: ``SeedProblem`` for a value that the provider cannot store. Then nothing has changed.
    func replaceState(by seed: Seed) throws

    /// Reads the state.
    ///
    /// - Returns: A seed with which ``replaceState(by:)`` makes the same state.
    func currentSeed() throws -> Seed
}

extension EmulatorAdministrator {
    /// Returns the initial settings with the changes of a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - provider: The name of the provider.
    /// - Returns: The settings, and the names of the changed ones.
    /// - Throws: ``SeedProblem`` for a setting that the provider does not have, or cannot change.
    public func settings(of seed: Seed, on provider: String) throws(SeedProblem) -> (settings: Settings, names: Set<String>) {
        var settings = settingsStore.initial
        guard let values = seed.settings[provider], !values.isEmpty else { return (settings, []) }
        do throws(SettingsPatchError) {
            let names = try settings.patch(values)
            return (settings, names)
        } catch {
            throw SeedProblem(.notKept, "\(provider) cannot store the settings of the seed. \(error)")
        }
    }

    /// Applies the settings of a seed to the server.
    ///
    /// - Parameter changed: The settings, and the names of the changed ones.
    public func adopt(_ changed: (settings: Settings, names: Set<String>)) {
        settingsStore.reset()
        settingsStore.change { $0 = changed.settings }
        settingsStore.notePatched(changed.names)
    }

    /// Returns the changed settings in the form of a seed.
    ///
    /// - Parameter provider: The name of the provider.
    /// - Returns: The changed settings in the form of a seed.
    public func changedSettings(on provider: String) -> [String: JSONObject] {
        let values = settingsStore.changedValues
        return values.isEmpty ? [:] : [provider: values]
    }
}

extension SeedUser {
    /// Runs `body` for a user, and adds the user to the error if a value cannot be stored.
    ///
    /// - Parameters:
    ///   - provider: The name of the provider.
    ///   - body: The work, which may throw ``UserValueError``.
    /// - Returns: The result.
    /// - Throws: The error with the name of the user or the organization before it.
    public func naming<Value>(on provider: String, _ body: (SeedUser) throws -> Value) throws -> Value {
        do {
            return try body(self)
        } catch let error as UserValueError {
            throw SeedProblem(error, of: "user \"\((label ?? "").prefix(100))\"", on: provider)
        } catch let error as SQLiteError where error.isDuplicate {
            throw SeedProblem(.taken(error.column), of: "user \"\((label ?? "").prefix(100))\"", on: provider)
        }
    }
}

extension UserValueError {
    /// Runs `body`, and names the value in its error as a member of `owner`.
    ///
    /// - Parameters:
    ///   - owner: The name of the other member: `factors`.
    ///   - body: The work.
    /// - Returns: The result.
    /// - Throws: The error with the name of the user or the organization before it.
    public static func naming<Value>(_ owner: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as UserValueError {
            switch error {
            case .unsupported(let name): throw unsupported("\(owner).\(name)")
            case .taken(let name): throw taken("\(owner).\(name)")
            case .invalid(let name, let expected): throw invalid("\(owner).\(name)", expected: expected)
            case .unavailable, .conflict: throw error
            }
        }
    }
}

extension SeedOrganization {
    /// Runs `body` for an organization, and adds the organization to the error if a value cannot be stored.
    ///
    /// - Parameters:
    ///   - provider: The name of the provider.
    ///   - body: The work, which may throw ``UserValueError``.
    /// - Returns: The result.
    /// - Throws: The error with the name of the user or the organization before it.
    public func naming<Value>(on provider: String, _ body: (SeedOrganization) throws -> Value) throws -> Value {
        do {
            return try body(self)
        } catch let error as UserValueError {
            throw SeedProblem(error, of: "organization \"\(name.prefix(100))\"", on: provider)
        } catch let error as SQLiteError where error.isDuplicate {
            throw SeedProblem(.taken(error.column), of: "organization \"\(name.prefix(100))\"", on: provider)
        }
    }
}

extension Seed {
    /// Rejects organizations, for a provider that does not support them.
    ///
    /// - Parameter provider: The name of the provider.
    /// - Throws: The error with the name of the user or the organization before it.
    public func requireNoOrganizations(on provider: String) throws {
        guard let first = organizations.first else { return }
        _ = try first.naming(on: provider) { _ in throw UserValueError.unsupported("organizations") }
    }
}

extension SQLiteError {
    /// The first column of `UNIQUE constraint failed: refresh_tokens.token`.
    fileprivate var column: String {
        String(message.pieces(at: " ").last { $0.utf8.contains(UInt8(ascii: ".")) }?.pieces(at: ".").last ?? "id")
    }
}
