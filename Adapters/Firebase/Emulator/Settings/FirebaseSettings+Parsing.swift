internal import LockstepEmulation
public import LockstepPrimitives

extension FirebaseSettings {
    /// Reads settings from a JSON object.
    ///
    /// The names are listed in `docs/firebase-emulator.md`. A name may be nested in objects or contain dots:
    /// `{"limits": {"failedSignIns": 5}}` or `{"limits.failedSignIns": 5}`.
    ///
    /// - Parameters:
    ///   - defaults: The values for settings that `json` does not contain. The keys are setting names with dots.
    /// - Throws: ``SettingsError`` for the first setting that is unknown or has an invalid value.
    public init(json: JSON, defaults: JSONObject = [:]) throws(SettingsError) {
        guard let members = json.object else { throw SettingsError("The configuration must be a JSON object.") }
        try self.init(pairs: Self.table.pairs(of: members), defaults: defaults)
    }

    /// Reads settings from `name=value` lines.
    ///
    /// Empty lines, and lines that begin with `#`, are ignored.
    ///
    /// - Parameters:
    ///   - defaults: The values for settings that `lines` does not contain. The keys are setting names with dots.
    /// - Throws: ``SettingsError`` for the first setting that is unknown or has an invalid value.
    public init(lines: some Sequence<String>, defaults: JSONObject = [:]) throws(SettingsError) {
        let pairs: [(name: String, value: String)]
        do throws(EnvironmentFileError) {
            pairs = try EnvironmentFile.parse(lines.joined(separator: "\n"))
        } catch {
            throw SettingsError("The settings cannot be read: \(error)")
        }
        try self.init(pairs: pairs.map { ($0.name, (try? JSON.parse($0.value)) ?? .string($0.value)) }, defaults: defaults)
    }

    private init(pairs: [(name: String, value: JSON)], defaults: JSONObject) throws(SettingsError) {
        let usual = defaults.map { (name: $0.name, value: $0.value) }
        let mode = (usual + pairs).last { $0.name == "mode" }?.value
        self.init(mode: mode?.string.flatMap(FirebaseMode.init) ?? .emulator)
        var (given, unwritten) = (GivenNames(), GivenNames())
        let problems = Self.table.apply(usual, to: &self, given: &unwritten)
        switch (problems + Self.table.apply(pairs, to: &self, given: &given)).first {
        case nil: self.given = given.with(defaults: unwritten)
        case .unknownName(let name):
            let near =
                Self.table.names.nearest(to: name) ?? Self.table.names.first { $0.lowercased().contains(name.lowercased()) }
            throw SettingsError("There is no setting “\(name)”" + (near.map { "; did you mean “\($0)”?" } ?? "."))
        case .wrongValue(let name, _, let wants): throw SettingsError("The setting \(name) must be \(wants).")
        }
    }
}

/// An error in the settings.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error and what to do about it, in one sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
