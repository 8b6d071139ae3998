public import LockstepPasswords
public import LockstepPrimitives
internal import LockstepSQLite

/// The functions that replace and read the whole state of a backend.
public protocol SeedAdministrator: Sendable {
    /// The hasher for new passwords, with the cost from the settings.
    var passwordHasher: PasswordHasher { get }

    /// Returns a new id for a user without an id in the seed.
    func makeUserID() -> String

    /// Replaces the state of the backend with a seed, in one transaction.
    ///
    /// It replaces all rows except the keys of the server, and all changed settings.
    ///
    /// - Parameter seed: The seed. Each user has an id. Its passwords must already be hashed.
    /// - Throws: ``SeedProblem`` for a value that the provider cannot store. In that case, nothing has changed.
    func replaceState(by seed: Seed) throws

    /// Returns the current state as a seed.
    ///
    /// - Returns: A seed from which ``replaceState(by:)`` restores the same state.
    /// - Throws: The error of the database.
    func currentSeed() throws -> Seed

    /// Counts what the backend has and a seed cannot contain.
    ///
    /// - Returns: What is lost with its number, such as `passkeys (2)`.
    func losses() throws -> [String]
}

extension EmulatorAdministrator {
    /// Returns the initial settings with the changes from a seed.
    ///
    /// - Throws: ``SeedProblem`` if the provider has no such setting, or if the setting cannot be changed.
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
    public func adopt(_ changed: (settings: Settings, names: Set<String>)) {
        settingsStore.reset()
        settingsStore.change { $0 = changed.settings }
        settingsStore.notePatched(changed.names)
    }

    /// Returns the changed settings as a seed contains them.
    ///
    /// - Parameter provider: The name of the provider.
    public func changedSettings(on provider: String) -> [String: JSONObject] {
        let values = settingsStore.changedValues
        return values.isEmpty ? [:] : [provider: values]
    }
}

extension SeedUser {
    /// Calls a closure that stores this user, and adds the user's name to its errors.
    ///
    /// So an error names the user of the seed who has the invalid value.
    ///
    /// - Parameters:
    ///   - body: The closure, which may throw ``UserValueError``.
    /// - Throws: The error that `body` throws, with the user's name at the beginning.
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
    /// Calls a closure, and adds the name of an outer value to its errors.
    ///
    /// If a value cannot be stored, the error also names the value that contains it.
    ///
    /// - Parameters:
    ///   - owner: The name of the outer value, such as `factors`.
    ///   - body: The closure, which may throw ``UserValueError``.
    /// - Throws: The error that `body` throws, with the outer value's name at the beginning.
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
    /// Calls a closure that stores an organization, and adds the organization's name to its errors.
    ///
    /// If a value cannot be stored, the error names the organization.
    ///
    /// - Parameters:
    ///   - body: The closure, which may throw ``UserValueError``.
    /// - Throws: The error that `body` throws, with the organization's name at the beginning.
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
    /// Throws an error if the seed contains organizations.
    ///
    /// Use this function for a provider without organizations.
    ///
    /// - Parameter provider: The name of the provider.
    /// - Throws: ``SeedProblem`` with the name of the organization.
    public func requireNoOrganizations(on provider: String) throws {
        guard let first = organizations.first else { return }
        _ = try first.naming(on: provider) { _ in throw UserValueError.unsupported("organizations") }
    }
}

extension SQLiteError {
    /// The first column in an error such as `UNIQUE constraint failed: refresh_tokens.token`.
    fileprivate var column: String {
        String(message.pieces(at: " ").last { $0.utf8.contains(UInt8(ascii: ".")) }?.pieces(at: ".").last ?? "id")
    }
}
