public import LockstepPrimitives

/// A setting of an emulator: its name, the kind of its values, and the property that stores it.
public struct Setting<Settings: Sendable>: Sendable {
    /// The provider's own name for the setting.
    public let name: String
    /// A sentence that describes the setting.
    public let about: String
    /// A description of valid values, as the end of a sentence.
    public let wants: String
    /// Whether the value of the setting is secret.
    public let isSecret: Bool
    /// Whether the setting cannot be changed after the start.
    public private(set) var isFixed = false
    /// Whether the emulator accepts the value at its start but ignores it.
    public private(set) var isUnused = false
    let read: @Sendable (inout Settings, JSON) -> Bool
    let write: @Sendable (Settings) -> JSON

    func masked(_ value: JSON) -> JSON { isSecret && !value.isNull && value != "" ? .string(Secret.mask) : value }

    /// This setting, marked as unchangeable after the start.
    public var fixed: Setting {
        var setting = self
        setting.isFixed = true
        return setting
    }

    /// This setting, marked as accepted but not used by the emulator.
    public var unused: Setting {
        var setting = self
        setting.isUnused = true
        return setting
    }

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - name: The provider's own name for the setting.
    ///   - wants: A description of valid values, as the end of a sentence.
    ///   - about: A sentence that describes the setting.
    ///   - isSecret: Whether the value of the setting is secret.
    ///   - read: Stores a value in the settings; returns `false` if the value is invalid.
    ///   - write: Returns the value from the settings; `null` if the setting has no value.
    public init(
        _ name: String, wants: String, _ about: String = "", isSecret: Bool = false,
        read: @escaping @Sendable (inout Settings, JSON) -> Bool, write: @escaping @Sendable (Settings) -> JSON
    ) {
        self.name = name
        self.about = about
        self.wants = wants
        self.isSecret = isSecret
        self.read = read
        self.write = write
    }

    /// Creates a setting that is stored in one property.
    ///
    /// - Parameters:
    ///   - name: The provider's own name for the setting.
    ///   - path: The property. The property is given as a closure, so that no key path is made when the program starts.
    ///   - about: A sentence that describes the setting.
    public init<Value: Sendable>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Settings, Value>,
        _ kind: SettingKind<Value>, _ about: String = ""
    ) {
        self.init(
            name, wants: kind.wants, about, isSecret: kind.isSecret,
            read: { settings, value in
                guard let value = kind.read(value) else { return false }
                settings[keyPath: path()] = value
                return true
            }, write: { kind.write($0[keyPath: path()]) })
    }
}

/// The reason why a value for a setting cannot be used.
public enum SettingProblem: Error, Sendable, Hashable {
    /// No setting has this name.
    case unknownName(String)
    /// The value is invalid for this setting.
    case wrongValue(name: String, value: JSON, wants: String)
}

/// The origin of a setting's value.
public enum SettingOrigin: String, Sendable, Hashable, CaseIterable {
    /// The value is the provider's default.
    case standard = "default"
    /// The value comes from the program that started the emulator: from an option, or from the program's own default.
    case program = "option"
    /// The value comes from a file or an environment variable at the start.
    case environment = "file"
    /// The value was changed after the start.
    case changed = "patched"
}

/// A setting with its value, as a control route shows it.
public struct ShownSetting: Sendable, Hashable {
    /// The title of the section; empty if the setting's name contains a variable part.
    public let section: String
    /// The provider's own name for the setting.
    public let name: String
    /// A sentence that describes the setting.
    public let about: String
    /// The value of the setting; masked if it is secret.
    public let value: JSON
    /// The provider's default.
    public let standard: JSON
    /// The origin of the value.
    public let origin: SettingOrigin
    /// Whether the setting can be changed while the emulator runs.
    public let isChangeable: Bool
}

/// A table of all settings of a provider, in sections.
public struct SettingTable<Settings: Sendable>: Sendable {
    /// A group of settings that belong together.
    public struct Section: Sendable {
        /// The title of the section.
        public let title: String
        /// The settings of the section, in the order in which they are read.
        public let settings: [Setting<Settings>]

        /// Creates a section.
        public init(_ title: String, @SettingList<Settings> _ settings: () -> [Setting<Settings>]) {
            self.title = title
            self.settings = settings()
        }
    }

    /// The sections of the table.
    ///
    /// The sections do not contain the settings that ``others`` finds.
    public let sections: [Section]
    private let known: [String: (place: Int, setting: Setting<Settings>)]
    private let others: @Sendable (String) -> Setting<Settings>?
    private let spelling: @Sendable (String) -> [String]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - others: Returns the setting with a name that contains a variable part, such as the name of an identity provider.
    ///   - spelling: Returns the full names that a user may have meant by a name, the most likely full name first.
    public init(
        _ sections: [Section], others: @escaping @Sendable (String) -> Setting<Settings>? = { _ in nil },
        spelling: @escaping @Sendable (String) -> [String] = { [$0] }
    ) {
        self.sections = sections
        self.others = others
        self.spelling = spelling
        var known: [String: (Int, Setting<Settings>)] = [:]
        for section in sections {
            for setting in section.settings { known[setting.name] = (known.count, setting) }
        }
        self.known = known
    }

    /// The names of all settings, in the order of the table.
    public var names: [String] { sections.flatMap { $0.settings.map { $0.name } } }

    /// Returns the setting for a name that a user wrote.
    ///
    /// - Returns: The setting; `nil` if no setting has the name.
    public func setting(_ written: String) -> Setting<Settings>? { find(written)?.setting }

    /// Returns the most likely full name of a setting for a name that a user wrote.
    package func likeliestName(of written: String) -> String { spelling(written).first ?? written }

    /// Returns the settings in an object.
    ///
    /// The names of the settings may be grouped in inner objects.
    ///
    /// For example, `{"limits": {"failedSignIns": 5}}` contains the setting `limits.failedSignIns`.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every name. Default: empty.
    public func pairs(of values: JSONObject, under prefix: String = "") -> [(name: String, value: JSON)] {
        values.flatMap { name, value -> [(name: String, value: JSON)] in
            let name = prefix + name
            // Some settings have an object as their value.
            if let inner = value.object, setting(name) == nil, !inner.isEmpty { return pairs(of: inner, under: name + ".") }
            return [(name, value)]
        }
    }

    private func find(_ written: String) -> (place: Int, setting: Setting<Settings>)? {
        for name in spelling(written) {
            if let found = known[name] { return found }
            if let other = others(name) { return (known.count, other) }
        }
        return nil
    }

    /// Stores values in the settings, in the order of the table.
    ///
    /// If a setting is given twice, the later value is used. However, a value under the full name has priority over a value under a short
    /// name.
    ///
    /// - Parameters:
    ///   - pairs: The names as a user wrote them, with their values.
    ///   - given: The set to which the names of the settings with a value are added.
    ///   - skipsEmpty: Whether an empty string means that there is no value.
    /// - Returns: The problems: first unknown names, then invalid values.
    public func apply(
        _ pairs: [(name: String, value: JSON)], to settings: inout Settings, given: inout GivenNames, skipsEmpty: Bool = false
    ) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        var values: [String: (place: Int, setting: Setting<Settings>, written: String, value: JSON)] = [:]
        for (written, value) in pairs {
            guard let (place, setting) = find(written) else {
                problems.append(.unknownName(written))
                continue
            }
            if let former = values[setting.name], former.written == setting.name, written != setting.name { continue }
            values[setting.name] = (place, setting, written, value)
        }
        for (place:_, setting, written, value) in values.values.sorted(by: {
            ($0.place, $0.setting.name) < ($1.place, $1.setting.name)
        }) {
            if skipsEmpty, value == "" { continue }
            given.names.insert(setting.name)
            if !setting.read(&settings, value) {
                problems.append(.wrongValue(name: written, value: value, wants: setting.wants))
            }
        }
        return problems
    }

    /// Returns all settings with their values and the origins of these values.
    ///
    /// The result contains every setting that the table lists, and the other settings that were given.
    ///
    /// - Parameters:
    ///   - settings: The current settings.
    ///   - initial: The settings at the start.
    ///   - standard: The provider's defaults.
    ///   - given: The names of the settings with values that came from a file or an environment variable at the start.
    ///   - patched: The names of the settings that were changed after the start.
    public func shown(
        _ settings: Settings, initial: Settings, standard: Settings, given: GivenNames, patched: Set<String> = []
    ) -> [ShownSetting] {
        let listed = sections.flatMap { section in section.settings.map { (section.title, $0) } }
        let rest = given.names.union(patched).filter { known[$0] == nil }.sorted().compactMap { others($0) }.map { ("", $0) }
        return (listed + rest).map { section, setting in
            let (value, start, usual) = (setting.write(settings), setting.write(initial), setting.write(standard))
            let origin: SettingOrigin =
                if value != start {
                    .changed
                } else if given.names.contains(setting.name) {
                    .environment
                } else {
                    start == usual ? .standard : .program
                }
            return ShownSetting(
                section: section, name: setting.name, about: setting.about, value: setting.masked(value),
                standard: setting.masked(usual), origin: origin, isChangeable: !setting.isFixed && !setting.isUnused)
        }
    }

    /// Returns the settings at the start that differ from the default, among the settings that a file or the program contains.
    ///
    /// The others are not compared, because the start must not build a table of all settings.
    func departures(in settings: Settings, from standard: Settings, given: GivenNames) -> JSONObject {
        let named = given.names.union(given.defaults).compactMap(find)
        let ordered = named.sorted { ($0.place, $0.setting.name) < ($1.place, $1.setting.name) }.map { $0.setting }
        let others = ordered.filter { $0.write(settings) != $0.write(standard) }
        return JSONObject(others.map { ($0.name, $0.masked($0.write(settings))) })
    }

    /// Returns the value of a setting as a settings file contains it; empty if the setting has no value.
    public func text(of setting: Setting<Settings>, in settings: Settings) -> String {
        setting.write(settings).settingText ?? ""
    }
}

/// The result builder for the settings of a section.
@resultBuilder
public enum SettingList<Settings: Sendable> {
    /// Returns one setting as a list.
    public static func buildExpression(_ setting: Setting<Settings>) -> [Setting<Settings>] { [setting] }
    /// Returns a list of settings unchanged.
    public static func buildExpression(_ settings: [Setting<Settings>]) -> [Setting<Settings>] { settings }
    /// Joins the lists of a section.
    public static func buildBlock(_ parts: [Setting<Settings>]...) -> [Setting<Settings>] { parts.flatMap { $0 } }
}

extension Dictionary where Value: Hashable {
    /// The element for a key, or the default if no element has the key.
    ///
    /// - Parameters:
    ///   - standard: The default.
    /// - Returns: The element, or the default.
    public subscript(setting key: Key, or standard: Value) -> Value {
        get { self[key] ?? standard }
        set { self[key] = newValue }
    }
}

/// The names of the settings with values that came from a file or an environment variable at the start.
///
/// These names only record the origin of a value. So two settings with the same values are equal, even if these names differ.
public struct GivenNames: Sendable, Hashable {
    /// The names of the settings that have a value.
    public internal(set) var names: Set<String> = []
    /// The names of the settings for which the program's default differs from the provider's default.
    private(set) var defaults: Set<String> = []

    /// Creates an empty set of names.
    public init() {}

    /// Whether there are no names.
    var isEmpty: Bool { names.isEmpty && defaults.isEmpty }

    /// Returns a copy that also contains the settings for which the program has its own default.
    public func with(defaults: GivenNames) -> GivenNames {
        var given = self
        given.defaults = defaults.names
        return given
    }

    /// Returns `true`, because a comparison of settings ignores these names.
    ///
    /// - Parameters:
    ///   - left: The first names.
    ///   - right: The second names.
    /// - Returns: Always `true`.
    public static func == (left: GivenNames, right: GivenNames) -> Bool { true }

    /// Adds nothing to the hash, because a comparison of settings ignores these names.
    public func hash(into hasher: inout Hasher) {}
}
