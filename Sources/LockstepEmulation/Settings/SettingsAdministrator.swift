public import LockstepPrimitives

/// An administrator that shows and changes the settings of a running emulator by the provider's names, for the control routes.
public protocol SettingsAdministrator: Sendable {
    /// Returns every setting with its value and origin.
    func shownSettings() -> [ShownSetting]

    /// The settings of the start that have another value than the provider's default, by name; secret ones are masked.
    var departures: JSONObject { get }

    /// Changes settings until the next reset: either all given settings or none.
    ///
    /// - Parameter values: Values by the provider's names; names may be grouped in objects, as in Firebase's configuration.
    /// - Throws: ``SettingsPatchError`` for the first value that cannot be used.
    func patchSettings(_ values: JSONObject) throws
}

/// The settings of an emulator that control routes show and change.
public protocol EmulatorSettings: Sendable {
    /// Every setting by its name.
    static var table: SettingTable<Self> { get }

    /// The settings of a start without a file and without options.
    var standard: Self { get }

    /// The names that a file or a variable has set at the start.
    var given: GivenNames { get }

    /// Settles the values that depend on each other.
    ///
    /// - Throws: An error with a sentence if they contradict each other.
    mutating func settle() throws
}

/// An error that names the setting that a patch cannot change.
public enum SettingsPatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No setting has the name.
    case unknown(String, nearest: String?)
    /// The value has the wrong type.
    case wrongValue(name: String, value: JSON, wants: String)
    /// The emulator reads the setting only at its start.
    case fixed(String)
    /// The emulator does not use the setting.
    case unused(String)
    /// Other settings keep the value from being used, so the former value stays.
    case dropped(name: String, value: JSON, former: JSON)
    /// Values contradict each other. The associated value is a sentence.
    case contradiction(String)

    /// A sentence with the error and the remedy.
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
                "invalid value \"\((value.settingText ?? value.text()).prefix(100))\" for \(name): the server does not use it, and keeps "
                + "\"\((former.settingText ?? "").prefix(100))\". Use a value in the server's range, or change the settings that it depends on."
        case .contradiction(let sentence): return sentence
        }
    }
}

extension EmulatorSettings {
    /// Changes values by their names.
    ///
    /// - Parameter values: The values; names may be grouped in objects.
    /// - Returns: The whole names of the changed settings.
    /// - Throws: ``SettingsPatchError``; then nothing has changed.
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
        for setting in names.names.sorted().compactMap(Self.table.setting) {
            let (former, value) = (setting.write(self), setting.write(applied))
            if value != former, setting.write(patched) == former {
                throw .dropped(name: setting.name, value: setting.masked(value), former: setting.masked(former))
            }
        }
        self = patched
        return names.names
    }
}

extension EmulatorAdministrator {
    /// Returns every setting with its value and origin.
    public func shownSettings() -> [ShownSetting] { settingsStore.shown() }

    /// The initial settings that differ from the provider's defaults.
    public var departures: JSONObject {
        let initial = settingsStore.initial
        guard !initial.given.isEmpty else { return [:] }
        return Settings.table.departures(in: initial, from: initial.standard, given: initial.given)
    }

    /// Changes settings until the next reset: either all given settings or none.
    ///
    /// - Parameter values: Values by the provider's names.
    /// - Throws: ``SettingsPatchError`` for the first value that cannot be used.
    public func patchSettings(_ values: JSONObject) throws {
        var tried = settingsStore.current
        let names = try tried.patch(values)
        // Another change may come between: the patch is made again on what is there then.
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
