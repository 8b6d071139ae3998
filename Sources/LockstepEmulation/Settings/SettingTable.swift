public import LockstepPrimitives

/// A setting: the provider's name for it, its kind, and its property in the settings.
public struct Setting<Settings: Sendable>: Sendable {
    /// The provider's own name.
    public let name: String
    /// A sentence that describes the setting.
    public let about: String
    /// The description of a valid value, as the end of a sentence.
    public let wants: String
    /// Whether the value is secret.
    public let isSecret: Bool
    /// Whether the emulator reads the value only at its start.
    public private(set) var isFixed = false
    /// Whether the emulator accepts the value at its start and does not use it.
    public private(set) var isUnused = false
    let read: @Sendable (inout Settings, JSON) -> Bool
    let write: @Sendable (Settings) -> JSON

    func masked(_ value: JSON) -> JSON { isSecret && !value.isNull && value != "" ? .string(Secret.mask) : value }

    /// The setting as one that the emulator reads only at its start, so that it cannot be changed later.
    public var fixed: Setting {
        var setting = self
        setting.isFixed = true
        return setting
    }

    /// The setting as one that the emulator accepts at its start and does not use.
    public var unused: Setting {
        var setting = self
        setting.isUnused = true
        return setting
    }

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - wants: The description of a valid value.
    ///   - about: A sentence that describes the setting.
    ///   - isSecret: Whether the value is secret.
    ///   - read: Stores a value in the settings; returns `false` if the value is invalid.
    ///   - write: Returns the value from the settings; `null` if there is none.
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

    /// Creates a setting for one property.
    ///
    /// The path is a closure, so that no key path is created at the start.
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

/// The reason why a value cannot be used.
public enum SettingProblem: Error, Sendable, Hashable {
    /// No setting has the name.
    case unknownName(String)
    /// The value has the wrong type.
    case wrongValue(name: String, value: JSON, wants: String)
}

/// The origin of a setting's value.
public enum SettingOrigin: String, Sendable, Hashable, CaseIterable {
    /// It is the default.
    case standard = "default"
    /// The program that started the emulator has set it, with an option or a default.
    case program = "option"
    /// A file or a variable has set it at the start.
    case environment = "file"
    /// It was changed since the start.
    case changed = "patched"
}

/// A setting as a control route shows it.
public struct ShownSetting: Sendable, Hashable {
    /// The section of the table; empty for a setting with a variable part in its name.
    public let section: String
    /// The provider's own name.
    public let name: String
    /// A sentence that describes it.
    public let about: String
    /// The value, masked if it is secret.
    public let value: JSON
    /// The default.
    public let standard: JSON
    /// The origin of the value.
    public let origin: SettingOrigin
    /// Whether it can be changed while the emulator runs.
    public let isChangeable: Bool
}

/// Every setting of a provider, in sections.
public struct SettingTable<Settings: Sendable>: Sendable {
    /// Settings that belong together.
    public struct Section: Sendable {
        /// Its title.
        public let title: String
        /// The settings, in the order in which they are read.
        public let settings: [Setting<Settings>]

        /// Creates a section.
        public init(_ title: String, @SettingList<Settings> _ settings: () -> [Setting<Settings>]) {
            self.title = title
            self.settings = settings()
        }
    }

    /// The settings, except those of ``others``.
    public let sections: [Section]
    private let known: [String: (place: Int, setting: Setting<Settings>)]
    private let others: @Sendable (String) -> Setting<Settings>?
    private let spelling: @Sendable (String) -> [String]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - sections: The sections of the table.
    ///   - others: Finds a setting with a variable part in its name, such as the name of an identity provider.
    ///   - spelling: The names that a written name may mean, most likely first.
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

    /// The names of the table, in its order.
    public var names: [String] { sections.flatMap { $0.settings.map { $0.name } } }

    /// Returns the setting that a written name means.
    public func setting(_ written: String) -> Setting<Settings>? { find(written)?.setting }

    /// The whole name that a written one most likely stands for.
    package func likeliestName(of written: String) -> String { spelling(written).first ?? written }

    /// Returns the names and values of an object whose names may be grouped: `{"limits": {"failedSignIns": 5}}` is
    /// `limits.failedSignIns`.
    public func pairs(of values: JSONObject, under prefix: String = "") -> [(name: String, value: JSON)] {
        values.flatMap { name, value -> [(name: String, value: JSON)] in
            let name = prefix + name
            // The values of some settings are objects themselves.
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

    /// Applies values to the settings, in the order of the table.
    ///
    /// If a setting has two values, the later one is used, but a value with the full name takes precedence over one with a short
    /// name.
    ///
    /// - Parameters:
    ///   - pairs: The written names with their values.
    ///   - settings: The settings.
    ///   - given: Receives the names of the settings that have a value.
    ///   - skipsEmpty: Whether an empty string means no value.
    /// - Returns: The problems, unknown names first.
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

    /// Returns the settings with their values and origins, including those of the given names that the table does not list.
    ///
    /// - Parameters:
    ///   - settings: The current settings.
    ///   - initial: The initial settings.
    ///   - standard: The provider's defaults.
    ///   - given: The names that a file or a variable has set at the start.
    ///   - patched: The names that were changed since the start.
    /// - Returns: The settings with their values and origins, including those of the given names that the table does not list.
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

    /// The settings of a start that have another value than the default, of those that a file or the program has named.
    ///
    /// The others are not looked at: a start makes no table of all settings.
    func departures(in settings: Settings, from standard: Settings, given: GivenNames) -> JSONObject {
        let named = given.names.union(given.defaults).compactMap(find)
        let ordered = named.sorted { ($0.place, $0.setting.name) < ($1.place, $1.setting.name) }.map { $0.setting }
        let others = ordered.filter { $0.write(settings) != $0.write(standard) }
        return JSONObject(others.map { ($0.name, $0.masked($0.write(settings))) })
    }

    /// Returns the value of a setting as written in a file; empty if there is none.
    public func text(of setting: Setting<Settings>, in settings: Settings) -> String {
        setting.write(settings).settingText ?? ""
    }
}

/// A builder for the settings of a section.
@resultBuilder
public enum SettingList<Settings: Sendable> {
    /// One setting.
    public static func buildExpression(_ setting: Setting<Settings>) -> [Setting<Settings>] { [setting] }
    /// Several settings.
    public static func buildExpression(_ settings: [Setting<Settings>]) -> [Setting<Settings>] { settings }
    /// Joins the parts.
    public static func buildBlock(_ parts: [Setting<Settings>]...) -> [Setting<Settings>] { parts.flatMap { $0 } }
}

extension Dictionary where Value: Hashable {
    /// The element for a key, or `standard` if there is none.
    ///
    /// - Parameter standard: The value if there is no element.
    public subscript(setting key: Key, or standard: Value) -> Value {
        get { self[key] ?? standard }
        set { self[key] = newValue }
    }
}

/// The names of the settings that a file or a variable has set at the start.
///
/// It records only the origin of values. Settings with the same values are equal, regardless of their origin.
public struct GivenNames: Sendable, Hashable {
    /// The names.
    public internal(set) var names: Set<String> = []
    /// The names that the program has given other defaults than the provider's.
    private(set) var defaults: Set<String> = []

    /// Creates an empty set of names.
    public init() {}

    /// Whether nothing was given.
    var isEmpty: Bool { names.isEmpty && defaults.isEmpty }

    /// Returns the names together with those of the program's defaults.
    public func with(defaults: GivenNames) -> GivenNames {
        var given = self
        given.defaults = defaults.names
        return given
    }

    /// Always `true`.
    public static func == (left: GivenNames, right: GivenNames) -> Bool { true }

    /// Adds nothing to the hash.
    public func hash(into hasher: inout Hasher) {}
}
