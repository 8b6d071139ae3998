public import LockstepPrimitives

/// The functions with which control routes show and change the settings of a running emulator.
///
/// The functions use the provider's own names of settings.
public protocol SettingsAdministrator: Sendable {
    /// Returns all settings with their values and the origins of these values.
    func shownSettings() -> [ShownSetting]

    /// The settings at the start that differ from the provider's defaults, by name.
    ///
    /// Secrets are masked.
    var departures: JSONObject { get }

    /// Changes settings until the next reset.
    ///
    /// If one value cannot be used, no setting is changed.
    ///
    /// - Parameter values: The new values, by the provider's own names. The names may be grouped in inner objects, as in
    ///   Firebase's configuration.
    /// - Throws: ``SettingsPatchError`` for the first value that cannot be used.
    func patchSettings(_ values: JSONObject) throws
}

/// A type of emulator settings that control routes can show and change.
public protocol EmulatorSettings: Sendable {
    /// The table of all settings.
    static var table: SettingTable<Self> { get }

    /// The settings of an emulator that was started without a file and without options.
    var standard: Self { get }

    /// The names of the settings with values that came from a file or an environment variable at the start.
    var given: GivenNames { get }

    /// Adjusts values that depend on each other.
    ///
    /// - Throws: An error with a sentence if values contradict each other.
    mutating func settle() throws
}

/// The reason why a control route cannot change a setting.
public enum SettingsPatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No setting has this name.
    case unknown(String, nearest: String?)
    /// The value is invalid for this setting.
    case wrongValue(name: String, value: JSON, wants: String)
    /// The setting cannot be changed after the start.
    case fixed(String)
    /// The emulator does not use the setting.
    case unused(String)
    /// Other settings prevent the new value, so the former value stays.
    case dropped(name: String, value: JSON, former: JSON)
    /// Two values contradict each other.
    ///
    /// The text describes the contradiction in a sentence.
    case contradiction(String)

    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .unknown(let name, let nearest):
            let remedy = nearest.map { "Did you mean \"\($0)\"?" } ?? "GET \(ControlRoutes.prefix)/settings lists them."
            return "No setting \"\(name.prefix(100))\". \(remedy)"
        case .wrongValue(let name, let value, let wants):
            return "invalid value \"\((value.settingText ?? value.text()).prefix(100))\" for \(name): expected \(wants)"
        case .fixed(let name): return "Setting \"\(name)\" is read only at the start. Restart the emulator with it."
        case .unused(let name): return "Setting \"\(name)\" has no effect on this emulator. Leave it out."
        case .dropped(let name, let value, let former):
            return
                "invalid value \"\((value.settingText ?? value.text()).prefix(100))\" for \(name): the server ignores this value and still uses "
                + "\"\((former.settingText ?? "").prefix(100))\". Use a value in the server's range, or change the settings that it depends on."
        case .contradiction(let sentence): return sentence
        }
    }
}

extension EmulatorSettings {
    /// Changes settings by their names.
    ///
    /// - Parameter values: The new values. Names may be grouped in inner objects.
    /// - Returns: The full names of the changed settings.
    /// - Throws: ``SettingsPatchError``. In that case, nothing has changed.
    mutating func patch(_ values: JSONObject) throws(SettingsPatchError) -> Set<String> {
        let pairs = Self.table.pairs(of: values)
        if let fixed = pairs.compactMap({ Self.table.setting($0.name) }).first(where: \.isFixed) { throw .fixed(fixed.name) }
        if let unused = pairs.compactMap({ Self.table.setting($0.name) }).first(where: \.isUnused) { throw .unused(unused.name) }
        var patched = self
        var names = GivenNames()
        switch Self.table.apply(pairs, to: &patched, given: &names).first {
        case nil: break
        case .unknownName(let name):
            throw .unknown(name, nearest: Self.table.names.nearest(to: Self.table.likeliestName(of: name)))
        case .wrongValue(let name, let value, let wants):
            let shown = Self.table.setting(name)?.masked(value) ?? value
            throw .wrongValue(name: name, value: shown, wants: wants)
        }
        let applied = patched
        do {
            try patched.settle()
        } catch {
            throw .contradiction("\(error)")
        }
        for (written, value) in pairs {
            guard let setting = Self.table.setting(written) else { continue }
            let (former, read, settled) = (setting.write(self), setting.write(applied), setting.write(patched))
            // The server replaces a number that is out of range, and other settings can prevent a value from being used.
            let isReplaced = Self.number(value).flatMap { given in Self.number(read).map { $0 != given } } ?? false
            if isReplaced || read != former && settled == former {
                throw .dropped(name: setting.name, value: setting.masked(value), former: setting.masked(settled))
            }
        }
        self = patched
        return names.names
    }

    /// Returns a number, even if it is written as a text.
    private static func number(_ value: JSON) -> Double? { value.double ?? value.string.flatMap { Double($0) } }
}

extension EmulatorAdministrator {
    /// Returns all settings with their values and the origins of these values.
    public func shownSettings() -> [ShownSetting] { settingsStore.shown() }

    /// The settings at the start that differ from the provider's defaults, by name.
    public var departures: JSONObject {
        let initial = settingsStore.initial
        guard !initial.given.isEmpty else { return [:] }
        return Settings.table.departures(in: initial, from: initial.standard, given: initial.given)
    }

    /// Changes settings until the next reset.
    ///
    /// If one value cannot be used, no setting is changed.
    ///
    /// - Parameter values: The new values, by the provider's own names.
    /// - Throws: ``SettingsPatchError`` for the first value that cannot be used.
    public func patchSettings(_ values: JSONObject) throws {
        var tried = settingsStore.current
        let names = try tried.patch(values)
        // Another change may come first, so the patch is applied again to the settings at that time.
        try change { settings in _ = try? settings.patch(values) }
        settingsStore.notePatched(names)
    }
}

extension ShownSetting {
    var json: JSON {
        [
            "name": .string(name), "value": value, "default": standard, "origin": .string(origin.rawValue),
            "section": .string(section), "about": .string(about), "changeable": .bool(isChangeable),
        ]
    }
}
