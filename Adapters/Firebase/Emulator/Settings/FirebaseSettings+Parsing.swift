internal import LockstepEmulation
public import LockstepPrimitives

extension FirebaseSettings {
    /// Reads a configuration in JSON: an object of the names that `docs/firebase-emulator.md` lists, grouped or dotted
    /// (`{"limits": {"failedSignIns": 5}}` or `{"limits.failedSignIns": 5}`).
    ///
    /// - Throws: ``SettingsError`` that names the first setting that is unknown or has a wrong value.
    public init(json: JSON) throws(SettingsError) {
        guard let members = json.object else { throw SettingsError("The configuration must be a JSON object.") }
        try self.init(pairs: Self.flattened(members, under: ""))
    }

    /// Reads pairs `name=value`, one a line; empty lines and lines that begin with `#` are skipped.
    ///
    /// - Throws: ``SettingsError``.
    public init(lines: some Sequence<String>) throws(SettingsError) {
        let pairs: [(name: String, value: String)]
        do throws(EnvironmentFileError) {
            pairs = try EnvironmentFile.parse(lines.joined(separator: "\n"))
        } catch {
            throw SettingsError("The settings cannot be read: \(error)")
        }
        try self.init(pairs: pairs.map { ($0.name, (try? JSON.parse($0.value)) ?? .string($0.value)) })
    }

    private init(pairs: [(name: String, value: JSON)]) throws(SettingsError) {
        let mode = pairs.last { $0.name == "mode" }?.value
        self.init(mode: mode?.string.flatMap(FirebaseMode.init) ?? .emulator)
        var given = GivenNames()
        switch Self.table.apply(pairs, to: &self, given: &given).first {
        case nil: self.given = given
        case .unknownName(let name):
            let near = Self.table.names.filter { $0.lowercased().contains(name.lowercased()) }.sorted().first
            throw SettingsError("There is no setting “\(name)”" + (near.map { "; did you mean “\($0)”?" } ?? "."))
        case .wrongValue(let name, _, let wants): throw SettingsError("The setting \(name) must be \(wants).")
        }
    }

    private static func flattened(_ members: JSONObject, under prefix: String) -> [(name: String, value: JSON)] {
        members.flatMap { name, value -> [(name: String, value: JSON)] in
            let name = prefix + name
            // The values of some settings are objects themselves.
            if table.setting(name) == nil, let inner = value.object { return flattened(inner, under: name + ".") }
            return [(name, value)]
        }
    }
}

/// An invalid configuration.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence with the error and its remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
