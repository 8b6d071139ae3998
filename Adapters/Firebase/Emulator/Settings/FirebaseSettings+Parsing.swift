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
        var pairs: [(String, JSON)] = []
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            guard let mark = line.firstIndex(of: "=") else {
                throw SettingsError("Line \(index + 1) of the settings is not name=value.")
            }
            let value = String(line[line.index(after: mark)...])
            pairs.append((String(line[..<mark]), (try? JSON.parse(value)) ?? .string(value)))
        }
        try self.init(pairs: pairs)
    }

    private init(pairs: [(name: String, value: JSON)]) throws(SettingsError) {
        let mode = pairs.last { $0.name == "mode" }?.value
        if let mode, mode.string.flatMap(FirebaseMode.init) == nil {
            throw SettingsError("The setting mode must be “emulator” or “strict”.")
        }
        self.init(mode: mode?.string.flatMap(FirebaseMode.init) ?? .emulator)
        for (name, value) in pairs where name != "mode" {
            guard let key = Self.keys[name] else {
                let near = Self.keys.keys.filter { $0.lowercased().contains(name.lowercased()) }.sorted().first
                throw SettingsError("There is no setting “\(name)”" + (near.map { "; did you mean “\($0)”?" } ?? "."))
            }
            guard key.set(&self, value) else { throw SettingsError("The setting \(name) must be \(key.wants).") }
        }
    }

    private static func flattened(_ members: JSONObject, under prefix: String) -> [(name: String, value: JSON)] {
        members.flatMap { name, value -> [(name: String, value: JSON)] in
            let name = prefix + name
            // The values of some settings are objects themselves.
            if keys[name] == nil, let inner = value.object { return flattened(inner, under: name + ".") }
            return [(name, value)]
        }
    }
}
